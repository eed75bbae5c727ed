"""The Spark job: WARC archives to Parquet; for `python -m` and `spark-submit`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

# Absolute imports: `spark-submit` runs this file outside of the package.
from scrapy_boilerplate.extras import require
from scrapy_boilerplate.options import PAGE_OPTIONS, add_flags
from scrapy_boilerplate.stored.spark import clean_archives

_OPTIONS = [name for name in PAGE_OPTIONS if name != "blocks"]  # has a flag of its own here


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "scrapy_boilerplate.stored.spark",
        description="Clean the pages of WARC archives on a Spark cluster.",
        fromfile_prefix_chars="@",
    )
    parser.add_argument("archives", nargs="+", metavar="ARCHIVE", help="paths or URIs; @FILE reads them from a file")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="where the Parquet files go")
    parser.add_argument("--blocks", action="store_true", help="the blocks of each page with their scores, too")
    parser.add_argument("--site-memory", action="store_true", help="drop what other pages of a site hold, too")
    add_flags(parser, _OPTIONS)
    chosen = parser.parse_args(arguments)
    options = {name: getattr(chosen, name) for name in _OPTIONS if getattr(chosen, name) is not None}
    options["site_memory"] = chosen.site_memory
    try:
        session = (
            require("pyspark.sql", "spark").SparkSession.builder.appName("scrapy-boilerplate-removal").getOrCreate()
        )
        pages = clean_archives(session, chosen.archives, blocks=chosen.blocks, **options)
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    pages.write.parquet(chosen.output)
    session.stop()


if __name__ == "__main__":
    main()
