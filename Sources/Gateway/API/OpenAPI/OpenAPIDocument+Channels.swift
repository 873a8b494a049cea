extension OpenAPIDocument {
    /// Members of `paths`.
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
            "summary": "Announces timed metadata at the channel's live edge",
            "description": "An EXT-X-DATERANGE in all media playlists until it has left the window and, with `id3`, an ID3 tag (emsg) in front of each rendition's next part. 409 where nobody is live or the id is in use, 422 for what makes no sense, 429 for too many.",
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
            "summary": "Begin or end a channel's recording",
            "description": "What has been recorded becomes a title. Asking for what is done already changes nothing.",
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
            "summary": "Make a title out of what viewers of a channel can go back to",
            "description": "Whole segments that cover the two times, from a key frame on, copied as they are.",
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
                "description": "Ready in a moment",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
              },
              "422": {
                "description": "`from` is not before `to`, the window does not have that time, or parameters change in between",
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
