import Testing

@testable import JSONDocument

struct JSONTextMergingTests {
    private func json(_ text: String) throws -> JSONText { JSONText(try JSONParser.parse(text.utf8)) }

    /// The examples of RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func mergesAsTheStandardSays(target: String, patch: String, result: String) throws {
        #expect(try json(target).merged(with: json(patch)).rendered == result)
    }

    @Test func whatIsShortStaysOnOneLine() throws {
        let text = try json(
            #"{"presets":{"low":{"width":426,"rate":29.97}},"channels":[],"names":["a","b\n"],"empty":{}}"#
        ).pretty
        #expect(
            text == """
                {
                  "presets": { "low": { "width": 426, "rate": 29.97 } },
                  "channels": [],
                  "names": ["a", "b\\n"],
                  "empty": {}
                }

                """)
        #expect(JSONText(try JSONParser.parse(text.utf8)) == JSONText(try JSONParser.parse(text.utf8)))
    }

    @Test func whatIsLongIsBroken() throws {
        let long = String(repeating: "x", count: 60)
        let document = try json(#"{"list":[{"name":"\#(long)"},{"name":"\#(long)"}]}"#)
        #expect(
            document.pretty == """
                {
                  "list": [
                    { "name": "\(long)" },
                    { "name": "\(long)" }
                  ]
                }

                """)
        #expect(JSONText(try JSONParser.parse(document.pretty.utf8)) == document)
    }
}
