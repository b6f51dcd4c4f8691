"""Makes every call of the Python SDK that sends something, for the ids it is given, and prints what went wrong."""

import json
import sys
from datetime import datetime, timezone

import posthog
from posthog import Posthog

told = json.load(sys.stdin)
errors = []


def client(**options):
    return Posthog(
        told["token"],
        host=told["host"],
        on_error=lambda error, items: errors.append(repr(error)),
        **options,
    )


def no_hedgehog():
    try:
        raise KeyError("no such hedgehog")
    except KeyError as error:
        return error


ids = told["ids"]

first = client()
first.capture(
    "order paid",
    distinct_id=ids["capture"],
    properties={"amount": 12.5, "text": "Zoë 🦔", "list": [1, None, True]},
    timestamp=datetime.fromtimestamp(told["happened"] / 1000, timezone.utc),
    uuid=told["uuid"],
    groups={"company": told["company"]},
)
first.capture("nobody", properties={"mark": told["mark"]})
first.set(distinct_id=ids["set"], properties={"plan": "pro"})
first.set_once(distinct_id=ids["set"], properties={"plan": "free", "first": 1})
first.alias(ids["alias"], ids["alias_other"])
first.group_identify("company", told["company"], {"name": "Acme"})
first.capture_exception(no_hedgehog(), distinct_id=ids["exception"])
first.flush()
first.shutdown()

packed = client(gzip=True, historical_migration=True)
packed.capture(
    "long ago",
    distinct_id=ids["historical"],
    timestamp=datetime(2016, 2, 3, 4, 5, 6, 789000, timezone.utc),
)
packed.shutdown()

waiting = client(sync_mode=True)
waiting.capture("at once", distinct_id=ids["sync"])

print(json.dumps({"errors": errors, "version": posthog.VERSION}))
