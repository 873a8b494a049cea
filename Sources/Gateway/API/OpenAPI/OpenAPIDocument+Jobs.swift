extension OpenAPIDocument {
    /// The members of `paths` for jobs.
    static let jobs = #"""
        "/api/v1/jobs": {
          "get": {
            "summary": "List or search jobs, newest first",
            "description": "The last thousand finished jobs are kept for at most thirty days.",
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
            "summary": "Changes of jobs, as server-sent events",
            "description": "Events are named `job`; their data is a Job. The stream starts with the unfinished jobs or, with Last-Event-ID, with the missed events. 503 if there are too many listeners.",
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
            "summary": "Change a job's priority",
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
            "description": "The worker of a running job is stopped and its files are deleted. 409 if the job has already ended.",
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
            "summary": "Cancel a job, like DELETE",
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
            "summary": "Queue a failed or cancelled job again",
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
