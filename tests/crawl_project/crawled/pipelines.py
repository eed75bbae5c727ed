from scrapy.exceptions import DropItem


class DropsSome:
    def process_item(self, item):
        if item["part"] == "dropped":
            raise DropItem("as it should be")
        return item


class FailsForSome:
    def process_item(self, item):
        if item["part"] == "failing":
            raise RuntimeError("a pipeline of the user's that is broken")
        return item


class Replaces:
    def process_item(self, item):
        return dict(item)
