extension OpenAPIDocument {
    /// Members of `components.schemas`.
    static let schemas = #"""
        "Ladder": {
          "type": "object",
          "required": ["id", "state", "job", "progress", "error", "encoder", "rungs", "omitted"],
          "properties": {
            "id": {"type": "string", "description": "the title's"},
            "state": {"type": "string", "enum": ["none", "queued", "transcoding", "ready", "failed", "cancelled"]},
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
            "id": {
              "type": "string", "minLength": 1, "maxLength": 128, "description": "unique; made when there is none"
            },
            "class": {"type": "string", "minLength": 1, "maxLength": 128},
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
                "description": {"type": "string", "minLength": 1, "maxLength": 128},
                "value": {"type": "string", "minLength": 1, "maxLength": 1024}
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
          "oneOf": [
            {"type": "string", "format": "date-time", "pattern": "^(19[7-9][0-9]|[2-9][0-9]{3})-"},
            {"type": "number", "minimum": 0, "maximum": 253402300799}
          ]
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
            "presets": {"type": "array", "items": {"type": "string"}, "description": "that a publisher may name"},
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
              "properties": {"video": {"type": "integer"}, "audio": {"type": "integer"}, "ts": {"type": "integer"}}
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
              "enum": ["queued", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"]
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
              "enum": ["queued", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"]
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
            "kind": {
              "type": "string",
              "description": "title, track, poster, storyboard, import, ladder (other qualities of a title); more may come"
            },
            "file": {"type": "string"},
            "state": {
              "type": "string",
              "enum": ["queued", "downloading", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"]
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
        "MisplacedFile": {
          "type": "object",
          "required": ["file", "belongsTo"],
          "properties": {
            "file": {"type": "string", "description": "relative to the media folder"},
            "belongsTo": {"enum": ["vod", "audio"], "description": "the folder to move it to"}
          }
        },
        "Share": {
          "type": "object",
          "required": ["count", "percentage"],
          "properties": {"count": {"type": "integer"}, "percentage": {"type": "integer"}}
        },
        "About": {
          "type": "object",
          "required": ["name", "version", "author", "liveChannels", "titles", "tracks", "total", "channelsOnAir", "chart"],
          "properties": {
            "name": {"type": "string"},
            "version": {"type": "string"},
            "author": {"type": "string"},
            "liveChannels": {"$ref": "#/components/schemas/Share"},
            "titles": {"$ref": "#/components/schemas/Share"},
            "tracks": {"$ref": "#/components/schemas/Share"},
            "total": {"type": "integer"},
            "channelsOnAir": {"type": "integer", "description": "of the configured ones, which liveChannels counts"},
            "chart": {"type": "string"},
            "rtspPort": {"type": ["integer", "null"], "description": "of the RTSP listener without TLS"}
          }
        },
        "Reload": {
          "type": "object",
          "required": [
            "added", "changed", "removed", "unchanged", "presetsChanged", "ladderChanged", "encryptionChanged"
          ],
          "properties": {
            "added": {"type": "array", "items": {"type": "string"}, "description": "names of channels"},
            "changed": {"type": "array", "items": {"type": "string"}},
            "removed": {"type": "array", "items": {"type": "string"}},
            "unchanged": {"type": "integer", "description": "number of channels that are as they were"},
            "presetsChanged": {"type": "boolean"},
            "ladderChanged": {"type": "boolean"},
            "encryptionChanged": {"type": "boolean"}
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
            "instance": {"type": "string"},
            "errors": {
              "type": "array",
              "description": "all that is wrong with a configuration file",
              "items": {
                "type": "object",
                "required": ["line", "column", "field", "message"],
                "properties": {
                  "line": {"type": ["integer", "null"]},
                  "column": {"type": ["integer", "null"]},
                  "field": {"type": "string"},
                  "message": {"type": "string"}
                }
              }
            }
          }
        },
        "NextCursor": {"type": ["string", "null"], "description": "cursor of the next page"}
        """#
}
