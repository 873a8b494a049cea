extension OpenAPIDocument {
    /// The members of `components.schemas`.
    static let schemas = #"""
        "Ladder": {
          "type": "object",
          "required": ["id", "state", "job", "progress", "error", "encoder", "rungs", "omitted"],
          "properties": {
            "id": {"type": "string", "description": "the title's id"},
            "state": {"type": "string", "enum": ["none", "queued", "transcoding", "ready", "failed", "cancelled"]},
            "job": {"type": ["string", "null"], "description": "id of the encoding job, while there is one"},
            "progress": {"type": ["number", "null"], "description": "0 to 1, while transcoding"},
            "error": {"type": ["string", "null"]},
            "encoder": {"type": ["string", "null"], "description": "the encoder's name in libav"},
            "rungs": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["preset", "width", "height", "frameRate", "videoBitrate"],
                "properties": {
                  "preset": {"type": "string"},
                  "width": {"type": "integer"},
                  "height": {"type": "integer"},
                  "frameRate": {"type": "number", "description": "maximum frames per second"},
                  "videoBitrate": {"type": "integer", "description": "average bits per second"}
                }
              }
            },
            "omitted": {
              "type": "array",
              "description": "presets that do not suit this title",
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
              "type": "string", "minLength": 1, "maxLength": 128, "description": "unique id; generated if omitted"
            },
            "class": {"type": "string", "minLength": 1, "maxLength": 128},
            "duration": {"type": "number", "minimum": 0, "maximum": 604800, "description": "seconds"},
            "plannedDuration": {"type": "number", "minimum": 0, "maximum": 604800},
            "endOnNext": {"type": "boolean", "description": "true if the range ends at the start of the next one of its class"},
            "attributes": {
              "type": "object",
              "maxProperties": 16,
              "description": "X-… attributes with a string or a number; SCTE35-CMD, -OUT or -IN with 0x…",
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
            "since": {"type": "string", "format": "date-time", "description": "start of this recording, or of the last one"},
            "bytes": {"type": "integer"},
            "duration": {"type": "number", "description": "seconds"},
            "file": {"type": "string", "description": "file of the title, once the recording has ended"},
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
            "presets": {"type": "array", "items": {"type": "string"}, "description": "presets that publishers may select"},
            "publisher": {
              "type": "object",
              "properties": {
                "address": {"type": "string"},
                "userAgent": {"type": "string"},
                "transport": {"type": "string"},
                "preset": {"type": "string"},
                "since": {"type": "string", "format": "date-time"},
                "clockOffset": {"type": "number", "description": "seconds that the publisher's clock is ahead of the server's"}
              }
            },
            "presetComparison": {
              "type": "object",
              "description": "promised values of the preset and measured values of the publisher",
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
              "description": "present while segments have to be cut without a key frame",
              "required": ["advice"],
              "properties": {
                "keyFrameDistance": {"type": "number", "description": "in seconds, if known"},
                "advice": {"type": "string", "description": "recommended encoder settings"}
              }
            },
            "waitingPublishers": {
              "type": "array",
              "description": "publishers that go live when the previous ones have ended",
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
                  "transcodedFrom": {"type": "string", "description": "codec that the publisher sends"},
                  "width": {"type": "integer"},
                  "height": {"type": "integer"},
                  "frameRate": {"type": "number"},
                  "bitRate": {"type": "integer"},
                  "sampleRate": {"type": "integer"},
                  "channels": {"type": "integer"}
                }
              }
            },
            "viewers": {"type": "integer", "description": "current viewers, distinguished by address and user agent"},
            "viewersByVariant": {
              "type": "object",
              "description": "viewers by variant: video, audio only, MPEG-TS",
              "properties": {"video": {"type": "integer"}, "audio": {"type": "integer"}, "ts": {"type": "integer"}}
            },
            "bytesIn": {"type": "integer"},
            "bytesDiscarded": {"type": "integer", "description": "bytes received from waiting publishers and discarded"},
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
            "poster": {"type": ["string", "null"], "description": "URL of the poster; changes with the image"},
            "posterAt": {"type": ["number", "null"], "description": "time of the poster in seconds, if chosen by an operator"},
            "storyboard": {
              "type": ["string", "null"],
              "description": "WebVTT file that maps times to regions of image sheets (`storyboard-1.jpg#xywh=…`); made when the server is idle"
            },
            "leftOut": {
              "type": ["string", "null"],
              "description": "streams of the file that are not in the title, and why"
            },
            "duplicateOf": {"type": ["string", "null"], "description": "id of the first item with the same content"},
            "encrypt": {"type": ["boolean", "null"], "description": "true if delivered encrypted (AES-128)"}
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
            "duplicateOf": {"type": ["string", "null"], "description": "id of the first item with the same content"}
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
              "description": "title, track, poster, storyboard, import, ladder; later versions may add more"
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
              "description": "additional information that is not an error, such as the reason for a conversion"
            },
            "attempt": {"type": "integer", "description": "number of attempts so far"},
            "priority": {"type": "integer", "description": "higher goes first"},
            "url": {"type": ["string", "null"], "description": "URL of an import, without its query"},
            "byteCount": {"type": ["integer", "null"], "description": "size of the import"},
            "createdAt": {"type": "string", "format": "date-time"},
            "startedAt": {"type": ["string", "null"], "format": "date-time"},
            "endedAt": {"type": ["string", "null"], "format": "date-time"},
            "resource": {"type": ["string", "null"], "description": "path of the title or track"}
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
            "channelsOnAir": {"type": "integer", "description": "number of configured channels that are on the air; liveChannels counts all"},
            "chart": {"type": "string"},
            "rtspPort": {"type": ["integer", "null"], "description": "port of the RTSP listener without TLS"}
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
            "unchanged": {"type": "integer", "description": "number of channels that did not change"},
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
              "description": "all mistakes in a configuration file",
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
