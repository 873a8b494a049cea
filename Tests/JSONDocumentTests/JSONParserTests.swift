import Testing

@testable import JSONDocument

struct JSONParserTests {
    @Test func readsEveryKindOfValue() throws {
        let node = try JSONParser.parse(#"{"a": [1, -2.5e2, true, null], "b": "é\n😀\u00e9"}"#.utf8)
        let elements = try #require(node["a"]?.elements)
        #expect(elements.map(\.value) == [.number(1), .number(-250), .boolean(true), .null])
        #expect(node["b"]?.string == "é\n😀é")
    }

    @Test func knowsLineAndColumnInCharacters() throws {
        let node = try JSONParser.parse("{\n  \"ñandú\": \"é\", \"x\":\r\n    [1,\n 22]\n}".utf8)
        #expect(node["ñandú"]?.position == TextPosition(line: 2, column: 12))
        #expect(node["x"]?.elements?.last?.position == TextPosition(line: 4, column: 2))
    }

    @Test(arguments: [
        ("", "1:1"), ("{", "1:2"), ("{\"a\":1,}", "1:8"), ("[1,]", "1:4"), ("{\"a\" 1}", "1:6"), ("[1 2]", "1:4"),
        ("01", "1:1"), ("1.", "1:1"), ("-", "1:1"), ("1e999", "1:1"), ("tru", "1:1"), ("nul", "1:1"), ("// x", "1:1"),
        ("{\"a\":1,\n \"a\":2}", "2:2"), ("\"abc", "1:1"), ("\"a\nb\"", "1:3"), (#""\q""#, "1:3"),
        (#""\ud83d""#, "1:8"),
        (#""\ud83dA""#, "1:8"), (#""\ud800\u0041""#, "1:14"), (#""\ud800\u0000""#, "1:14"),
        (#""\udbff\udbff""#, "1:14"), (#""\udbff\ue000""#, "1:14"), (#""\udc00\udc00""#, "1:8"), ("1 2", "1:3"),
        ("\"\\", "1:3"), (#""\u12"#, "1:4"),
    ])
    func refusesAndPointsAtTheFault(_ text: String, _ position: String) {
        #expect {
            try JSONParser.parse(text.utf8)
        } throws: { error in
            "\((error as? JSONParsingError)?.position ?? TextPosition(line: 0, column: 0))" == position
        }
    }

    @Test func refusesWhatIsNoUTF8AndWhatIsTooDeepOrTooLarge() {
        #expect(throws: JSONParsingError.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONParsingError.self) { try JSONParser.parse(String(repeating: "[", count: 100_000).utf8) }
        #expect(throws: JSONParsingError.self) {
            try JSONParser.parse([UInt8](repeating: 0x20, count: JSONParser.maximumByteCount + 1))
        }
    }

    @Test func neverTrapsOnTruncatedInput() throws {
        let text = Array(#"{"a":[1.5e+3,"A😀",{"b":false}],"c":null}"#.utf8)
        for count in 0..<text.count {
            #expect(throws: JSONParsingError.self) { try JSONParser.parse(text.prefix(count)) }
        }
        _ = try JSONParser.parse(text)
    }

    @Test(arguments: [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x0041, 0xE000, 0xFFFF])
    func anyTwoEscapesAreReadOrRefused(_ first: Int) {
        for second in stride(from: 0, through: 0xFFFF, by: 0x3F) {
            let text = #""\u\#(hexadecimal(first))\u\#(hexadecimal(second))""#
            let isPair = (0xD800..<0xDC00).contains(first) && (0xDC00..<0xE000).contains(second)
            let isWhole = !(0xD800..<0xE000).contains(first) && !(0xD800..<0xE000).contains(second)
            #expect(((try? JSONParser.parse(text.utf8)) != nil) == (isPair || isWhole), "\(text)")
        }
        #expect((try? JSONParser.parse(#""\ud83d\ude00""#.utf8))?.string == "😀")
    }

    private func hexadecimal(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test(arguments: [",", ",\n", ",\r\n  "])
    func looksAtEachByteOnceForPositions(_ separator: String) throws {
        let text = "[" + Array(repeating: #"{"ñ":1}"#, count: 20_000).joined(separator: separator) + "]"
        let bytes = Array(text.utf8)
        let (node, countedByteCount) = try JSONParser.countingParse(bytes)
        #expect(countedByteCount <= bytes.count)
        let last = try #require(node.elements?.last)
        let column = separator == "," ? 2 + 19_999 * 8 : separator == ",\n" ? 1 : 3
        #expect(last.position == TextPosition(line: separator == "," ? 1 : 20_000, column: column))
        #expect(last["ñ"]?.position.column == column + 5)
    }

    @Test func aFaultAtTheEndOfALongLineIsWhereItIs() {
        let text = "[" + String(repeating: "1,", count: 300_000) + "x]"
        #expect {
            try JSONParser.parse(text.utf8)
        } throws: { error in
            (error as? JSONParsingError)?.position == TextPosition(line: 1, column: 600_002)
        }
    }

    @Test func writesWhatItReads() throws {
        let text = #"{"b":[1,2.5,true,null,"q\"\\\n\u0001"],"a":{}}"#
        #expect(JSONText(try JSONParser.parse(text.utf8)).rendered == text)
    }
}

struct SchemaPatternTests {
    @Test(arguments: [
        ("^[A-Za-z0-9_-]{1,64}$", "canal-A_1", true), ("^[A-Za-z0-9_-]{1,64}$", "", false),
        ("^[A-Za-z0-9_-]{1,64}$", "a b", false), ("^[A-Za-z0-9_-]{1,64}$", String(repeating: "a", count: 65), false),
        ("^a+b?c*$", "aaacc", true), ("^a+b?c*$", "bc", false), ("b", "abc", true), ("^.{2}$", "ñé", true),
        ("^[^/]+$", "a/b", false), ("^\\d{2,}$", "123", true), ("^a\\.b$", "axb", false),
    ])
    func matches(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(try #require(SchemaPattern(pattern)).matches(text) == expected)
    }

    @Test(arguments: ["(a|b)", "[a", "a{", "a{2,1}", "\\w", "*", "[z-a]"])
    func admitsWhatItDoesNotUnderstand(_ pattern: String) {
        #expect(SchemaPattern(pattern) == nil)
    }
}
