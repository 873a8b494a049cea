/// The OpenAPI description at `/api/v1/openapi.json`; a test compares its paths with the router's.
enum OpenAPIDocument {
    static let text = #"""
        {
          "openapi": "3.1.0",
          "info": {
            "title": "Antena",
            "version": "\#(Product.version)",
            "description": "A media library and live-channel streaming gateway."
          },
          "paths": {
        \#([channels, titles, jobs, uploads, about].joined(separator: ",\n"))
          },
          "components": {
            "securitySchemes": {
              "operatorToken": {
                "type": "http",
                "scheme": "bearer",
                "description": "The content of the file operator-token in the server's data folder. Requests without it are answered with 401."
              }
            },
            "parameters": {
              "limit": {
                "name": "limit",
                "in": "query",
                "schema": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
              },
              "cursor": {
                "name": "cursor",
                "in": "query",
                "description": "the next of the previous page",
                "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]*$", "maxLength": 8192}
              },
              "tusResumable": {
                "name": "Tus-Resumable",
                "in": "header",
                "required": true,
                "schema": {"type": "string", "const": "1.0.0"}
              },
              "q": {
                "name": "q",
                "in": "query",
                "description": "words to search for",
                "schema": {"type": "string", "maxLength": 200}
              },
              "id": {"name": "id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}},
              "channel": {"name": "name", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}
            },
            "responses": {
              "Problem": {
                "description": "Problem details (RFC 9457)",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            },
            "schemas": {
        \#(schemas)
            }
          }
        }
        """#

    /// The members of `paths` for the program itself.
    private static let about = #"""
        "/api/v1/about": {
          "get": {
            "summary": "The program, and the share of live channels, titles and tracks",
            "responses": {
              "200": {
                "description": "About",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/About"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/reload": {
          "post": {
            "summary": "Reload channels.json",
            "security": [{"operatorToken": []}],
            "description": "Channels, presets, publishers and slates are added, changed and removed; everything that did not change is left alone. 422 with all mistakes in `errors` if the file is not valid; nothing is changed then.",
            "responses": {
              "200": {
                "description": "What has changed",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Reload"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/library/misplaced": {
          "get": {
            "summary": "Media files that are not ingested because they lie in the folder of the other kind",
            "responses": {
              "200": {
                "description": "Misplaced files, at most 100 per section",
                "content": {"application/json": {"schema": {
                  "type": "object",
                  "required": ["items", "next"],
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/MisplacedFile"}},
                    "next": {"type": "null"}
                  }
                }}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/openapi.json": {
          "get": {
            "summary": "This description",
            "responses": {
              "200": {
                "description": "OpenAPI 3.1",
                "content": {"application/json": {"schema": {"type": "object"}}}
              }
            }
          }
        }
        """#
}
