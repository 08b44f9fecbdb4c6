// Shows the API description of this server with Swagger UI (serving/site/reference.py).
"use strict";

SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  defaultModelsExpandDepth: 0,
  // No request to the validator of another host.
  validatorUrl: null,
});
