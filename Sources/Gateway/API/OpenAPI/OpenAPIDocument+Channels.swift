extension OpenAPIDocument {
    /// The members of `paths` for channels and presets.
    static let channels = #"""
        "/api/v1/channels": {
          "get": {
            "security": [{}, {"operatorToken": []}],
            "summary": "Status of all channels",
            "responses": {
              "200": {
                "description": "Channels",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["items", "next"],
                      "properties": {
                        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Channel"}},
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
        "/api/v1/channels/{name}": {
          "get": {
            "security": [{}, {"operatorToken": []}],
            "summary": "Status of a channel",
            "parameters": [{"$ref": "#/components/parameters/channel"}],
            "responses": {
              "200": {
                "description": "The channel",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Channel"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/channels/{name}/metadata": {
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Insert timed metadata at the channel's live edge",
            "description": "An EXT-X-DATERANGE in all media playlists until it has left the window and, with `id3`, an ID3 tag (emsg) before each rendition's next part. 409 if the channel is not live or the id is in use, 422 if the values are not valid, 429 if there are too many.",
            "parameters": [{"$ref": "#/components/parameters/channel"}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Metadata"}}}
            },
            "responses": {
              "201": {
                "description": "Announced",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DateRange"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/channels/{name}/recording": {
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Start or stop a channel's recording",
            "description": "The recording becomes a title. Starting a running recording, or stopping a stopped one, changes nothing.",
            "parameters": [{"$ref": "#/components/parameters/channel"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "required": ["action"],
                    "properties": {"action": {"type": "string", "enum": ["start", "stop"]}}
                  }
                }
              }
            },
            "responses": {
              "200": {
                "description": "The recording",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Recording"}}}
              },
              "409": {
                "description": "Nobody is broadcasting",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/channels/{name}/clips": {
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Make a title from a channel's time-shift window",
            "description": "The clip consists of the complete segments that cover the two times. It starts at a key frame and is not re-encoded.",
            "parameters": [{"$ref": "#/components/parameters/channel"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "required": ["from", "to"],
                    "properties": {
                      "from": {"$ref": "#/components/schemas/Moment"},
                      "to": {"$ref": "#/components/schemas/Moment"},
                      "title": {"type": "string", "minLength": 1, "maxLength": 200}
                    }
                  }
                }
              }
            },
            "responses": {
              "200": {
                "description": "Ready",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "202": {
                "description": "Being made; ready shortly",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "422": {
                "description": "`from` is not before `to`, the window does not contain that time, or the codec parameters change in between",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/presets": {
          "get": {
            "summary": "Quality presets",
            "responses": {
              "200": {
                "description": "Presets",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["items", "next"],
                      "properties": {
                        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Preset"}},
                        "next": {"$ref": "#/components/schemas/NextCursor"}
                      }
                    }
                  }
                }
              },
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        }
        """#
}
