extension OpenAPIDocument {
    /// Members of `paths`.
    static let titles = #"""
        "/api/v1/titles": {
          "get": {
            "summary": "Titles, searchable",
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
            "summary": "Ingest a file of the server's machine, one behind an address, or the body",
            "description": "A body that is a file needs Content-Length and a name: `?name=`, or Content-Disposition; of a form, the one file in it. What breaks off leaves nothing behind; see /api/v1/uploads. An address is that of a public host, unless the server allows private ones; the answer is 202 with a Job, whose `resource` is the title once it is there.",
            "parameters": [
              {
                "name": "name",
                "in": "query",
                "description": "of a file that is the body",
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
                "description": "Ready: it took a moment, or it was known",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "201": {
                "description": "The body is a file of the library now, under Location; `job` is what is being done for it",
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
            "summary": "Upload a file under this name, as `curl -T film.mp4 …/titles/` does",
            "description": "As a POST of the file. It never replaces one: the answer's Location tells its id.",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "requestBody": {
              "required": true,
              "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary", "minLength": 1}}}
            },
            "responses": {
              "201": {
                "description": "It is a file of the library now, under Location; `job` is what is being done for it",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Delete a title: its file, what was made of it, and nothing else",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {"204": {"description": "Deleted"}, "default": {"$ref": "#/components/responses/Problem"}}
          },
          "patch": {
            "security": [{"operatorToken": []}],
            "summary": "Encrypts a title's segments with AES-128, or stops that",
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
                "description": "How it is now",
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
            "summary": "Chooses a title's poster",
            "description": "The picture that is shown at a time, or one that is sent. It stays when the file is replaced, a time as long as the new file has it. 422 where there is no such picture; the poster stays as it was then.",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "required": ["at"],
                    "properties": {"at": {"type": "number", "minimum": 0, "description": "seconds"}}
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
                "description": "The title, which has the poster when it is ready",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Lets the server choose the poster again",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The title with its new poster",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "202": {
                "description": "The title, which has a poster when it is ready",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/tracks": {
          "get": {
            "summary": "Audio tracks, searchable",
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
            "summary": "A title's other qualities, and how their making gets on",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "The qualities",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ladder"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Have a title offered in other qualities, too",
            "description": "Never larger, more frequent or in more bits than the source. What a kill cut off is gone on with. Another list takes the place of the one before when it is whole. 422 where no preset makes sense for the title.",
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
                        "description": "names that /api/v1/presets lists",
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
                "description": "Being made, or there already",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ladder"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "End what is being made, or else delete what was made",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "200": {
                "description": "What is left",
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
            "summary": "Delete a track: its file, what was made of it, and nothing else",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {"204": {"description": "Deleted"}, "default": {"$ref": "#/components/responses/Problem"}}
          }
        }
        """#
}
