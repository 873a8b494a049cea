/// `/api/v1/openapi.json`; a test compares its paths with the router's.
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
            "/api/v1/channels": {
              "get": {
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
                            "next": {"type": ["string", "null"], "description": "cursor of the next page"}
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
                "summary": "Status of a channel",
                "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                "summary": "Announces timed metadata at the channel's live edge; from the server's own machine only",
                "description": "An EXT-X-DATERANGE in all media playlists until it has left the window and, with `id3`, an ID3 tag (emsg) in front of each rendition's next part. 409 where nobody is live or the id is in use, 422 for what makes no sense, 429 for too many.",
                "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                "summary": "Begin or end a channel's recording; from loopback only",
                "description": "What has been recorded becomes a title. Asking for what is done already changes nothing.",
                "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                "summary": "Make a title out of what viewers of a channel can go back to; from loopback only",
                "description": "Whole segments that cover the two times, from a key frame on, copied as they are.",
                "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                          "title": {"type": "string", "maxLength": 200}
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
                    "description": "The window does not have that time, or parameters change in between",
                    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
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
                            "next": {"type": ["string", "null"], "description": "cursor of the next page"}
                          }
                        }
                      }
                    }
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "post": {
                "summary": "Ingest a file of the server's machine, one behind an address, or the body; from loopback only",
                "description": "A body that is a file needs Content-Length and a name: `?name=`, or Content-Disposition; of a form, the one file in it. What breaks off leaves nothing behind; see /api/v1/uploads. An address is that of a public host, unless the server allows private ones; the answer is 202 with a Job, whose `resource` is the title once it is there.",
                "parameters": [
                  {"name": "name", "in": "query", "description": "of a file that is the body", "schema": {"type": "string"}}
                ],
                "requestBody": {
                  "required": true,
                  "content": {
                    "video/*": {"schema": {"type": "string", "format": "binary"}},
                    "audio/*": {"schema": {"type": "string", "format": "binary"}},
                    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                    "multipart/form-data": {
                      "schema": {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
                    },
                    "application/json": {
                      "schema": {
                        "oneOf": [
                          {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}},
                          {
                            "type": "object",
                            "required": ["url"],
                            "properties": {"url": {"type": "string", "format": "uri", "maxLength": 2048}}
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
                        "schema": {
                          "oneOf": [{"$ref": "#/components/schemas/Title"}, {"$ref": "#/components/schemas/Job"}]
                        }
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
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "200": {
                    "description": "The title",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Title"}}}
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "put": {
                "summary": "Upload a file under this name, as `curl -T film.mp4 …/titles/` does; from loopback only",
                "description": "As a POST of the file. It never replaces one: the answer's Location tells its id.",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "requestBody": {
                  "required": true,
                  "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
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
                "summary": "Delete a title: its file, what was made of it, and nothing else; from loopback only",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "204": {"description": "Deleted"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "patch": {
                "summary": "Encrypts a title's segments with AES-128, or stops that; from the server's own machine only",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object", "required": ["encrypt"], "properties": {"encrypt": {"type": ["boolean", "null"]}}
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
                "summary": "Chooses a title's poster; from the server's own machine only",
                "description": "The picture that is shown at a time, or one that is sent. It stays when the file is replaced, a time as long as the new file has it. 422 where there is no such picture; the poster stays as it was then.",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                    "image/jpeg": {"schema": {"type": "string", "maxLength": 16777216}},
                    "image/png": {"schema": {"type": "string", "maxLength": 16777216}}
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
                "summary": "Lets the server choose the poster again; from the server's own machine only",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                            "next": {"type": ["string", "null"], "description": "cursor of the next page"}
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
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "200": {
                    "description": "The qualities",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ladder"}}}
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "post": {
                "summary": "Have a title offered in other qualities, too; from loopback only",
                "description": "Never larger, more frequent or in more bits than the source. What a kill cut off is gone on with. Another list takes the place of the one before when it is whole. 422 where no preset makes sense for the title.",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object",
                        "required": ["presets"],
                        "properties": {
                          "presets": {"type": "array", "minItems": 1, "maxItems": 64, "items": {"type": "string"}}
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
                "summary": "End what is being made, or else delete what was made; from loopback only",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "200": {
                    "description": "The track",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Track"}}}
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "delete": {
                "summary": "Delete a track: its file, what was made of it, and nothing else; from loopback only",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "204": {"description": "Deleted"},
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
                            "next": {"type": ["string", "null"], "description": "cursor of the next page"}
                          }
                        }
                      }
                    }
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
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
                            "next": {"type": ["string", "null"], "description": "cursor of the next page"}
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
                "parameters": [
                  {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}}
                ],
                "responses": {
                  "200": {"description": "Events", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
            "/api/v1/jobs/{id}": {
              "get": {
                "summary": "A job",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "200": {
                    "description": "The job",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "patch": {
                "summary": "Put a job before or behind others; from loopback only",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                "summary": "Cancel a job; from loopback only",
                "description": "A running one's worker is ended and its files are deleted. 409 where the job has ended.",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                "summary": "The same as DELETE; from loopback only",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
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
                "summary": "Begin a job anew that has failed or was cancelled; from loopback only",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "200": {
                    "description": "The job, queued",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
                  },
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
            "/api/v1/uploads": {
              "options": {
                "summary": "What of tus 1.0 the server speaks",
                "responses": {
                  "204": {"description": "Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "post": {
                "summary": "Begin an upload (tus 1.0); from loopback only",
                "parameters": [
                  {"$ref": "#/components/parameters/tusResumable"},
                  {"name": "Upload-Length", "in": "header", "required": true, "description": "bytes of the whole file", "schema": {"type": "integer"}},
                  {"name": "Upload-Metadata", "in": "header", "required": true, "description": "filename, in base64: a name with the ending of a medium", "schema": {"type": "string"}},
                  {"name": "Upload-Checksum", "in": "header", "required": false, "description": "of the body: sha1, sha256 or md5, and the digest in base64", "schema": {"type": "string"}}
                ],
                "responses": {
                  "201": {"description": "Location is the upload's address; with a body of application/offset+octet-stream, Upload-Offset says how much of it is there"},
                  "413": {"description": "Larger than Tus-Max-Size"},
                  "429": {"description": "Too many are not finished"},
                  "507": {"description": "The disk has not enough room"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
            "/api/v1/uploads/{id}": {
              "options": {
                "summary": "What of tus 1.0 the server speaks",
                "parameters": [
                  {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}
                ],
                "responses": {
                  "204": {"description": "Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "head": {
                "summary": "How much of it is there",
                "parameters": [
                  {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                  {"$ref": "#/components/parameters/tusResumable"}
                ],
                "responses": {
                  "200": {"description": "Upload-Offset, Upload-Length, Upload-Expires; Content-Location once it is a title or track"},
                  "404": {"description": "Not known, or given up"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "patch": {
                "summary": "Send more of it",
                "parameters": [
                  {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                  {"$ref": "#/components/parameters/tusResumable"},
                  {"name": "Upload-Offset", "in": "header", "required": true, "description": "where the bytes belong: what HEAD says", "schema": {"type": "integer"}},
                  {"name": "Upload-Checksum", "in": "header", "required": false, "description": "of these bytes", "schema": {"type": "string"}}
                ],
                "requestBody": {"required": true, "content": {"application/offset+octet-stream": {"schema": {"type": "string", "format": "binary"}}}},
                "responses": {
                  "204": {"description": "Upload-Offset says how much is there; Content-Location names the title or track once it is all"},
                  "409": {"description": "Upload-Offset is another"},
                  "423": {"description": "Another connection is sending"},
                  "460": {"description": "Upload-Checksum is another: none of these bytes are kept"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "delete": {
                "summary": "Give it up",
                "parameters": [
                  {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                  {"$ref": "#/components/parameters/tusResumable"}
                ],
                "responses": {
                  "204": {"description": "Its bytes are deleted"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              },
              "post": {
                "summary": "PATCH, DELETE or HEAD, as X-HTTP-Method-Override says",
                "parameters": [
                  {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                  {"$ref": "#/components/parameters/tusResumable"},
                  {"name": "X-HTTP-Method-Override", "in": "header", "required": true, "description": "PATCH, DELETE or HEAD", "schema": {"type": "string"}}
                ],
                "responses": {
                  "204": {"description": "As for that method"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
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
          },
          "components": {
            "parameters": {
              "limit": {
                "name": "limit",
                "in": "query",
                "schema": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
              },
              "cursor": {
                "name": "cursor",
                "in": "query",
                "description": "the next of the page before",
                "schema": {"type": "string", "maxLength": 8192}
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
              }
            },
            "responses": {
              "Problem": {
                "description": "RFC 9457",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            },
            "schemas": {
              "Ladder": {
                "type": "object",
                "required": ["id", "state", "job", "progress", "error", "encoder", "rungs", "omitted"],
                "properties": {
                  "id": {"type": "string", "description": "the title's"},
                  "state": {
                    "type": "string",
                    "enum": ["none", "queued", "transcoding", "ready", "failed", "cancelled"]
                  },
                  "job": {"type": ["string", "null"], "description": "the id of the job that makes them, while there is one"},
                  "progress": {"type": ["number", "null"], "description": "0 to 1, while transcoding"},
                  "error": {"type": ["string", "null"]},
                  "encoder": {"type": ["string", "null"], "description": "libav's name"},
                  "rungs": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["preset", "width", "height", "frameRate", "videoBitrate"],
                      "properties": {
                        "preset": {"type": "string"},
                        "width": {"type": "integer"},
                        "height": {"type": "integer"},
                        "frameRate": {"type": "number", "description": "pictures a second at most"},
                        "videoBitrate": {"type": "integer", "description": "bits a second on average"}
                      }
                    }
                  },
                  "omitted": {
                    "type": "array",
                    "description": "presets that make no sense for this title",
                    "items": {
                      "type": "object",
                      "required": ["preset", "reason"],
                      "properties": {"preset": {"type": "string"}, "reason": {"type": "string"}}
                    }
                  }
                }
              },
              "Resolution": {
                "type": "object",
                "required": ["width", "height"],
                "properties": {"width": {"type": "integer"}, "height": {"type": "integer"}}
              },
              "Verdict": {"type": "string", "enum": ["kept", "below", "above"]},
              "PromisedRate": {
                "type": "object",
                "required": ["promised"],
                "properties": {
                  "promised": {"type": "number"},
                  "measured": {"type": "number"},
                  "verdict": {"$ref": "#/components/schemas/Verdict"}
                }
              },
              "Metadata": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "id": {"type": "string", "maxLength": 128, "description": "unique; made where there is none"},
                  "class": {"type": "string", "maxLength": 128},
                  "duration": {"type": "number", "minimum": 0, "maximum": 604800, "description": "seconds"},
                  "plannedDuration": {"type": "number", "minimum": 0, "maximum": 604800},
                  "endOnNext": {"type": "boolean", "description": "ends where the next of its class begins"},
                  "attributes": {
                    "type": "object",
                    "maxProperties": 16,
                    "description": "X-… with a text or a number; SCTE35-CMD, -OUT or -IN with 0x…",
                    "additionalProperties": {"type": ["string", "number"]}
                  },
                  "id3": {
                    "type": "object",
                    "description": "a TXXX frame",
                    "required": ["description", "value"],
                    "properties": {
                      "description": {"type": "string", "maxLength": 128},
                      "value": {"type": "string", "maxLength": 1024}
                    }
                  }
                }
              },
              "DateRange": {
                "type": "object",
                "required": ["id", "class", "startDate", "duration", "plannedDuration", "endOnNext"],
                "properties": {
                  "id": {"type": "string"},
                  "class": {"type": ["string", "null"]},
                  "startDate": {"type": "string", "format": "date-time"},
                  "duration": {"type": ["number", "null"]},
                  "plannedDuration": {"type": ["number", "null"]},
                  "endOnNext": {"type": "boolean"}
                  }
                },
              "Moment": {
                "description": "a date, or seconds since 1970",
                "oneOf": [{"type": "string", "format": "date-time"}, {"type": "number"}]
              },
              "Recording": {
                "type": "object",
                "required": ["state", "bytes", "duration"],
                "properties": {
                  "state": {"type": "string", "enum": ["idle", "recording", "failed"]},
                  "since": {"type": "string", "format": "date-time", "description": "of this recording, or of the last"},
                  "bytes": {"type": "integer"},
                  "duration": {"type": "number", "description": "seconds"},
                  "file": {"type": "string", "description": "as the title has it, when the recording has ended"},
                  "reason": {"type": "string", "description": "why it ended"}
                }
              },
              "Channel": {
                "type": "object",
                "required": ["name", "title", "state", "preset", "presets", "tracks", "viewers", "playlist"],
                "properties": {
                  "name": {"type": "string"},
                  "title": {"type": "string"},
                  "state": {"type": "string", "enum": ["idle", "live", "interrupted"]},
                  "since": {"type": "string", "format": "date-time"},
                  "preset": {"type": "string"},
                  "presets": {
                    "type": "array", "items": {"type": "string"}, "description": "that a publisher may name"
                  },
                  "publisher": {
                    "type": "object",
                    "properties": {
                      "address": {"type": "string"},
                      "userAgent": {"type": "string"},
                      "transport": {"type": "string"},
                      "preset": {"type": "string"},
                      "since": {"type": "string", "format": "date-time"},
                      "clockOffset": {"type": "number", "description": "seconds that it is ahead of the server"}
                    }
                  },
                  "presetComparison": {
                    "type": "object",
                    "description": "what the preset promises and what the push does",
                    "properties": {
                      "resolution": {
                        "type": "object",
                        "required": ["promised"],
                        "properties": {
                          "promised": {"$ref": "#/components/schemas/Resolution"},
                          "measured": {"$ref": "#/components/schemas/Resolution"},
                          "verdict": {"$ref": "#/components/schemas/Verdict"}
                        }
                      },
                      "frameRate": {"$ref": "#/components/schemas/PromisedRate"},
                      "videoBitrate": {"$ref": "#/components/schemas/PromisedRate"},
                      "audioBitrate": {"$ref": "#/components/schemas/PromisedRate"}
                    }
                  },
                  "slate": {"type": "boolean", "description": "true while the slate is shown"},
                  "gopTooLong": {
                    "type": "object",
                    "description": "there while segments are closed for want of a key frame",
                    "required": ["advice"],
                    "properties": {
                      "keyFrameDistance": {"type": "number", "description": "seconds, where it is known"},
                      "advice": {"type": "string", "description": "what to set in the encoder"}
                    }
                  },
                  "waitingPublishers": {
                    "type": "array",
                    "description": "accepted, and shown when those before them have ended",
                    "items": {
                      "type": "object",
                      "properties": {
                        "address": {"type": "string"},
                        "userAgent": {"type": "string"},
                        "transport": {"type": "string"},
                        "preset": {"type": "string"},
                        "since": {"type": "string", "format": "date-time"},
                        "clockOffset": {"type": "number"}
                      }
                    }
                  },
                  "tracks": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "id": {"type": "integer"},
                        "type": {"type": "string"},
                        "codec": {"type": "string"},
                        "rfc6381": {"type": "string"},
                        "transcodedFrom": {"type": "string", "description": "what the publisher sends"},
                        "width": {"type": "integer"},
                        "height": {"type": "integer"},
                        "frameRate": {"type": "number"},
                        "bitRate": {"type": "integer"},
                        "sampleRate": {"type": "integer"},
                        "channels": {"type": "integer"}
                      }
                    }
                  },
                  "viewers": {"type": "integer", "description": "told apart by address and agent"},
                  "viewersByVariant": {
                    "type": "object",
                    "description": "those who have chosen: pictures, sound alone, MPEG-TS",
                    "properties": {
                      "video": {"type": "integer"}, "audio": {"type": "integer"}, "ts": {"type": "integer"}
                    }
                  },
                  "bytesIn": {"type": "integer"},
                  "bytesDiscarded": {"type": "integer", "description": "sent by publishers that had to wait"},
                  "bytesOut": {"type": "integer"},
                  "packetsLost": {"type": "integer"},
                  "errors": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {"at": {"type": "string", "format": "date-time"}, "message": {"type": "string"}}
                    }
                  },
                  "playlist": {"type": "string"},
                  "recording": {"$ref": "#/components/schemas/Recording"}
                }
              },
              "Title": {
                "type": "object",
                "required": ["id", "title", "file", "state", "error", "ingestSeconds", "duration", "playlist", "poster"],
                "properties": {
                  "id": {"type": "string"},
                  "title": {"type": "string"},
                  "file": {"type": "string"},
                  "state": {
                    "type": "string",
                    "enum": ["queued", "probing", "indexing", "transcoding", "ready", "failed"]
                  },
                  "progress": {"type": ["number", "null"], "description": "0 to 1"},
                  "error": {"type": ["string", "null"]},
                  "ingestSeconds": {"type": ["number", "null"]},
                  "duration": {"type": ["number", "null"], "description": "seconds"},
                  "width": {"type": ["integer", "null"]},
                  "height": {"type": ["integer", "null"]},
                  "frameRate": {"type": ["number", "null"]},
                  "videoCodec": {"type": ["string", "null"]},
                  "audioCodec": {"type": ["string", "null"]},
                  "byteCount": {"type": "integer"},
                  "playlist": {"type": "string"},
                  "poster": {"type": ["string", "null"], "description": "another picture has another address"},
                  "posterAt": {"type": ["number", "null"], "description": "seconds, where an operator has chosen"},
                  "storyboard": {
                    "type": ["string", "null"],
                    "description": "WebVTT that says where on which sheet (`storyboard-1.jpg#xywh=…`) the picture of each time lies; made when there is nothing else to do"
                  },
                  "leftOut": {
                    "type": ["string", "null"],
                    "description": "streams of the file that are not in the title, and why"
                  },
                  "duplicateOf": {"type": ["string", "null"], "description": "id of the first with the same content"},
                  "encrypt": {"type": ["boolean", "null"], "description": "whether it is delivered encrypted (AES-128)"}
                }
              },
              "Track": {
                "type": "object",
                "required": ["id", "title", "artist", "album", "duration", "playlist", "file", "cover"],
                "properties": {
                  "id": {"type": "string"},
                  "title": {"type": "string"},
                  "artist": {"type": ["string", "null"]},
                  "album": {"type": ["string", "null"]},
                  "year": {"type": ["integer", "null"]},
                  "trackNumber": {"type": ["integer", "null"]},
                  "genre": {"type": ["string", "null"]},
                  "duration": {"type": ["number", "null"]},
                  "codec": {"type": ["string", "null"]},
                  "sampleRate": {"type": ["integer", "null"]},
                  "channels": {"type": ["integer", "null"]},
                  "byteCount": {"type": "integer"},
                  "state": {
                    "type": "string",
                    "enum": ["queued", "probing", "indexing", "transcoding", "ready", "failed"]
                  },
                  "error": {"type": ["string", "null"]},
                  "ingestSeconds": {"type": ["number", "null"]},
                  "playlist": {"type": "string"},
                  "file": {"type": "string"},
                  "cover": {"type": ["string", "null"]},
                  "duplicateOf": {"type": ["string", "null"], "description": "id of the first with the same content"}
                }
              },
              "Preset": {
                "type": "object",
                "required": ["name", "width", "height", "frameRate", "videoBitrate", "audioBitrate"],
                "properties": {
                  "name": {"type": "string"},
                  "width": {"type": "integer"},
                  "height": {"type": "integer"},
                  "frameRate": {"type": "number"},
                  "videoBitrate": {"type": "integer"},
                  "audioBitrate": {"type": "integer"}
                }
              },
              "Job": {
                "type": "object",
                "required": ["id", "kind", "file", "state", "resource"],
                "properties": {
                  "id": {"type": "string"},
                  "kind": {"type": "string", "description": "title, track, poster, storyboard, import, ladder (other qualities of a title); more may come"},
                  "file": {"type": "string"},
                  "state": {
                    "type": "string",
                    "enum": [
                      "queued", "downloading", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"
                    ]
                  },
                  "phase": {"type": ["string", "null"]},
                  "progress": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
                  "error": {"type": ["string", "null"]},
                  "message": {
                    "type": ["string", "null"],
                    "description": "what is no error, such as why a file is converted whose codecs would not need it"
                  },
                  "attempt": {"type": "integer", "description": "how often it has been begun"},
                  "priority": {"type": "integer", "description": "higher goes first"},
                  "url": {"type": ["string", "null"], "description": "where an import comes from, without its query"},
                  "byteCount": {"type": ["integer", "null"], "description": "of what comes from there"},
                  "createdAt": {"type": "string", "format": "date-time"},
                  "startedAt": {"type": ["string", "null"], "format": "date-time"},
                  "endedAt": {"type": ["string", "null"], "format": "date-time"},
                  "resource": {"type": ["string", "null"], "description": "the title or track"}
                }
              },
              "Share": {
                "type": "object",
                "required": ["count", "percentage"],
                "properties": {"count": {"type": "integer"}, "percentage": {"type": "integer"}}
              },
              "About": {
                "type": "object",
                "required": ["name", "version", "author", "liveChannels", "titles", "tracks", "total", "chart"],
                "properties": {
                  "name": {"type": "string"},
                  "version": {"type": "string"},
                  "author": {"type": "string"},
                  "liveChannels": {"$ref": "#/components/schemas/Share"},
                  "titles": {"$ref": "#/components/schemas/Share"},
                  "tracks": {"$ref": "#/components/schemas/Share"},
                  "total": {"type": "integer"},
                  "chart": {"type": "string"}
                }
              },
              "Problem": {
                "type": "object",
                "required": ["type", "title", "status"],
                "properties": {
                  "type": {"type": "string"},
                  "title": {"type": "string"},
                  "status": {"type": "integer"},
                  "detail": {"type": "string"},
                  "instance": {"type": "string"}
                }
              }
            }
          }
        }
        """#
}
