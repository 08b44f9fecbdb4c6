"""Traces requests with OpenTelemetry, if the environment enables it and the packages are installed.

Enabled by `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`; all other OTEL_*
variables are the SDK's own. Needs the extra `otel`: `pip install open-larder[otel]`; without it the
service runs and logs the fact. A span has the route's template, never the path, the query or the
client.
"""

import importlib
import os
from typing import Any

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_SERVER_ERROR = 500
# Time for sending spans at shutdown.
_FLUSH_MILLISECONDS = 3000


def are_enabled() -> bool:
    """Return whether the environment enables traces."""
    is_off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    return (
        not is_off
        and os.environ.get("OTEL_TRACES_EXPORTER", "otlp") != "none"
        and any(os.environ.get(name) for name in _ENDPOINTS)
    )


class Traces:
    """Spans of the requests of one process. Off until `start`."""

    def __init__(self, log: Any) -> None:
        self.is_on = False
        self._log = log
        self._provider: Any = None
        self._tracer: Any = None
        self._trace: Any = None
        self._propagator: Any = None

    def start(self, version: str) -> None:
        """Start sending spans, if enabled and possible. Call it in the serving process."""
        if not are_enabled():
            return
        try:
            self._set_up(version)
        except ImportError as error:
            self._log.warning(
                "traces_off", reason=f"{error.name} is missing: pip install open-larder[otel]"
            )
            return
        self.is_on = True
        self._log.info("traces_on")

    def _set_up(self, version: str) -> None:
        exporter = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        export = importlib.import_module("opentelemetry.sdk.trace.export")
        sdk = importlib.import_module("opentelemetry.sdk.trace")
        resources = importlib.import_module("opentelemetry.sdk.resources")
        propagation = importlib.import_module("opentelemetry.trace.propagation.tracecontext")
        self._trace = importlib.import_module("opentelemetry.trace")
        # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
        own_resource = resources.Resource(
            {"service.name": "open-larder", "service.version": version}
        )
        environment_resource = resources.OTELResourceDetector().detect()
        self._provider = sdk.TracerProvider(resource=own_resource.merge(environment_resource))
        self._provider.add_span_processor(export.BatchSpanProcessor(exporter.OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("serving", version)
        self._propagator = propagation.TraceContextTextMapPropagator()

    def record(
        self,
        method: str,
        route: str,
        status: int,
        end_ns: int,
        seconds: float,
        request_id: str,
        headers: Any,
    ) -> None:
        """Record one request that ended at an instant (ns since 1970). Only `traceparent` is read
        from `headers`."""
        carrier = {
            name.decode(): value.decode("latin-1")
            for name, value in headers
            if name in (b"traceparent", b"tracestate")
        }
        parent = self._propagator.extract(carrier) if carrier else None
        span = self._tracer.start_span(
            f"{method} {route}",
            context=parent,
            kind=self._trace.SpanKind.SERVER,
            attributes={
                "http.request.method": method,
                "http.route": route,
                "http.response.status_code": status,
                "larder.request_id": request_id,
            },
            start_time=end_ns - int(seconds * 1e9),
        )
        if status >= _SERVER_ERROR:
            span.set_status(self._trace.StatusCode.ERROR)
        span.end(end_ns)

    def stop(self) -> None:
        """Send the remaining spans. May take three seconds: call it in a thread."""
        if self._provider is not None:
            self._provider.force_flush(_FLUSH_MILLISECONDS)
            self._provider.shutdown()
            self.is_on = False
