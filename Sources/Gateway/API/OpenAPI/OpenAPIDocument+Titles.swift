extension OpenAPIDocument {
    /// The members of `paths` for titles and tracks.
    static let titles = #"""
        "/api/v1/titles": {
          "get": {
            "summary": "List or search titles",
            "parameters": [
              {"$ref": "#/components/parameters/limit"},
              {"$ref": "#/components/parameters/cursor"},
              {"$ref": "#/components/parameters/q"}
            ],
            "responses": {
              "200": {
                "description": "Titles",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["items", "next"],
                      "properties": {
                        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Title"}},
                        "next": {"$ref": "#/components/schemas/NextCursor"}
                      }
                    }
                  }
                }
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Ingest a file on the server's machine, a file from a URL, or the request body",
            "description": "If the body is a file, the request needs Content-Length and a name, in `?name=` or in Content-Disposition; a form must contain exactly one file. An interrupted upload leaves nothing behind; /api/v1/uploads offers resumable uploads. A URL must have a public host unless the server allows private ones; the response is 202 with a Job, whose `resource` is the title once it exists.",
            "parameters": [
              {
                "name": "name",
                "in": "query",
                "description": "name of the file in the body",
                "schema": {"type": "string"}
              }
            ],
            "requestBody": {
              "required": true,
              "content": {
                "video/*": {"schema": {"type": "string", "format": "binary", "minLength": 1}},
                "audio/*": {"schema": {"type": "string", "format": "binary", "minLength": 1}},
                "application/octet-stream": {"schema": {"type": "string", "format": "binary", "minLength": 1}},
                "multipart/form-data": {
                  "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary", "minLength": 1}}
                  }
                },
                "application/json": {
                  "schema": {
                    "oneOf": [
                      {"type": "object", "required": ["path"], "properties": {"path": {"type": "string", "pattern": "^/[^\\u0000]+$"}, "url": false}},
                      {
                        "type": "object",
                        "required": ["url"],
                        "properties": {"url": {"type": "string", "pattern": "^https?://[A-Za-z0-9]", "maxLength": 2048}, "path": false}
                      }
                    ]
                  }
                }
              }
            },
            "responses": {
              "200": {
                "description": "Ready: the title was known, or was ingested at once",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "201": {
                "description": "The body is now a file of the library, at Location; `job` is its running or queued job",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "202": {
                "description": "Queued",
                "content": {
                  "application/json": {
                    "schema": {"oneOf": [{"$ref": "#/components/schemas/Title"}, {"$ref": "#/components/schemas/Job"}]}
                  }
                }
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/titles/{id}": {
          "get": {
            "summary": "A title",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The title",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "put": {
            "security": [{"operatorToken": []}],
            "summary": "Upload a file under this name (`curl -T film.mp4 …/titles/`)",
            "description": "Works like a POST of the file. It never replaces a title; the new title's id is in Location.",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "requestBody": {
              "required": true,
              "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary", "minLength": 1}}}
            },
            "responses": {
              "201": {
                "description": "The body is now a file of the library, at Location; `job` is its running or queued job",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Delete a title: its file and everything derived from it",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {"204": {"description": "Deleted"}, "default": {"$ref": "#/components/responses/Problem"}}
          },
          "patch": {
            "security": [{"operatorToken": []}],
            "summary": "Turn AES-128 encryption of a title's segments on or off",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "required": ["encrypt"],
                    "properties": {"encrypt": {"type": ["boolean", "null"]}}
                  }
                }
              }
            },
            "responses": {
              "200": {
                "description": "The new state",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"id": {"type": "string"}, "encrypt": {"type": "boolean"}}
                    }
                  }
                }
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/titles/{id}/poster": {
          "put": {
            "security": [{"operatorToken": []}],
            "summary": "Set a title's poster",
            "description": "Uses the frame at a time, or an uploaded image. An uploaded image stays when the file is replaced; a time stays if the new file is long enough. 422 if there is no such frame or the image cannot be decoded; the poster is then unchanged.",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "required": ["at"],
                    "properties": {"at": {"type": "number", "minimum": 0, "description": "time in seconds"}}
                  }
                },
                "image/jpeg": {"schema": {"type": "string", "format": "binary", "minLength": 1, "maxLength": 16777216}},
                "image/png": {"schema": {"type": "string", "format": "binary", "minLength": 1, "maxLength": 16777216}}
              }
            },
            "responses": {
              "200": {
                "description": "The title with its new poster",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "202": {
                "description": "The title; the poster is set when the title is ready",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Let the server choose the poster again",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The title with its new poster",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "202": {
                "description": "The title; the poster is chosen when the title is ready",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/tracks": {
          "get": {
            "summary": "List or search audio tracks",
            "parameters": [
              {"$ref": "#/components/parameters/limit"},
              {"$ref": "#/components/parameters/cursor"},
              {"$ref": "#/components/parameters/q"}
            ],
            "responses": {
              "200": {
                "description": "Tracks",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["items", "next"],
                      "properties": {
                        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Track"}},
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
        "/api/v1/titles/{id}/transcode": {
          "get": {
            "summary": "A title's ladder and the progress of its encoding",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The ladder",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ladder"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Encode an adaptive-bitrate ladder for a title",
            "description": "No rendition exceeds the source in resolution, frame rate or bit rate. An interrupted job resumes after a restart. A new list of presets replaces the previous ladder when its encoding is complete. 422 if no preset suits the title.",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "required": ["presets"],
                    "properties": {
                      "presets": {
                        "type": "array",
                        "description": "names from /api/v1/presets",
                        "minItems": 1,
                        "maxItems": 64,
                        "items": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
                      }
                    }
                  }
                }
              }
            },
            "responses": {
              "202": {
                "description": "Being encoded, or complete already",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ladder"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Cancel the encoding of the ladder, or delete a complete ladder",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The ladder's new state",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ladder"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/tracks/{id}": {
          "get": {
            "summary": "An audio track",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The track",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Track"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Delete a track: its file and everything derived from it",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {"204": {"description": "Deleted"}, "default": {"$ref": "#/components/responses/Problem"}}
          }
        }
        """#
}
