extension OpenAPIDocument {
    /// Members of `paths`.
    static let jobs = #"""
        "/api/v1/jobs": {
          "get": {
            "summary": "What is being done to files and how it ended, newest first",
            "description": "A thousand that have ended are kept, for thirty days at most.",
            "parameters": [
              {"$ref": "#/components/parameters/limit"},
              {"$ref": "#/components/parameters/cursor"},
              {"$ref": "#/components/parameters/q"}
            ],
            "responses": {
              "200": {
                "description": "Jobs",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["items", "next"],
                      "properties": {
                        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Job"}},
                        "next": {"$ref": "#/components/schemas/NextCursor"}
                      }
                    }
                  }
                }
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/jobs/events": {
          "get": {
            "summary": "What happens to jobs, as server-sent events",
            "description": "Events are named `job`, their data is a Job. At first those that are not done or, with Last-Event-ID, those that were missed. 503 where too many listen.",
            "parameters": [{"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}}],
            "responses": {
              "200": {
                "description": "Events",
                "content": {"text/event-stream": {"schema": {"type": "string"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/jobs/{id}": {
          "get": {
            "summary": "A job",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The job",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "patch": {
            "security": [{"operatorToken": []}],
            "summary": "Put a job before or behind others",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "required": ["priority"],
                    "properties": {"priority": {"type": "integer", "minimum": -100, "maximum": 100}}
                  }
                }
              }
            },
            "responses": {
              "200": {
                "description": "The job",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Cancel a job",
            "description": "A running one's worker is ended and its files are deleted. 409 where the job has ended.",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The job",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/jobs/{id}/cancel": {
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "The same as DELETE",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The job",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/jobs/{id}/retry": {
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Begin a job again that has failed or was cancelled",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The job, queued",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        }
        """#
}
