# Reads OpenMetrics from standard input with the reference parser, which refuses what the specification forbids; prints each family and its type.
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

for family in text_string_to_metric_families(sys.stdin.read()):
    print(family.name, family.type)
