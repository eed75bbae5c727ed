"""The contract `@scrapes` of `scrapy check`, which knows the fields that the pipeline fills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.contracts.default import ScrapesContract as ScrapysContract
from scrapy.exceptions import ContractFail

from ..fields import values_of
from ..not_cleaned import NotCleaned
from ..owners import owner_of
from .cleaner import Cleaner

if TYPE_CHECKING:
    from scrapy.http import Response


class ScrapesContract(ScrapysContract):
    """`@scrapes main_text`: the callback fills these fields, or the pipeline will, because the page has them.

    `scrapy check` runs no pipeline, so the page of the response is cleaned here.
    """

    def pre_process(self, response: Response) -> None:
        self._values = _values_for_items(response)

    def post_process(self, output: list[Any]) -> None:
        for item in filter(ItemAdapter.is_item, output):
            missing = [name for name in self.args if not self._has(item, name)]
            if missing:
                raise ContractFail(f"Missing fields: {', '.join(missing)}")

    def _has(self, item: Any, name: str) -> bool:
        if name in ItemAdapter(item):
            return True
        declared = ItemAdapter.get_field_names_from_class(type(item))  # None: every name is allowed
        return self._values.get(name) not in (None, "", []) and (declared is None or name in declared)


def _values_for_items(response: Response) -> dict[str, Any]:
    """What the pipeline fills into items of this response, without its workers; nothing if there is no add-on."""
    cleaner = owner_of(response)
    if not isinstance(cleaner, Cleaner):
        return {}
    try:
        options = cleaner.page_options(response)
        values = values_of(cleaner.document_of(response, options), options.fields, options.blocks)
    except NotCleaned:
        return {}
    return {name: values[source] for source, name in options.fields.items()}
