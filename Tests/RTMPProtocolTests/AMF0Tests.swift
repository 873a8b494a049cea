import NIOCore
import Testing

@testable import RTMPProtocol

struct AMF0Tests {
    private static let everything = AMF0Value.object([
        .init("number", .number(-1.5)), .init("yes", .boolean(true)), .init("ñ", .string("señal")),
        .init("nothing", .null), .init("unknown", .undefined), .init("date", .date(1_000)),
        .init("list", .strictArray([.number(1), .object([]), .strictArray([])])),
        .init("map", .ecmaArray([.init("a", .string(""))])),
        .init("long", .string(String(repeating: "x", count: 70_000))),
    ])

    private static func values(_ bytes: [UInt8]) throws -> [AMF0Value] {
        try AMF0Reader.values(ByteBuffer(bytes: bytes))
    }

    @Test func whatIsWrittenIsRead() throws {
        var bytes = ByteBuffer()
        for value in [AMF0Value.string("connect"), .number(1), Self.everything] { bytes.write(value) }
        #expect(try AMF0Reader.values(bytes) == [.string("connect"), .number(1), Self.everything])
    }

    /// A message that ends anywhere is an error, or has fewer values.
    @Test func aMessageThatIsCutOffIsAnError() throws {
        var bytes = ByteBuffer()
        bytes.write(.object([.init("a", .strictArray([.date(1), .string("b"), .boolean(false)]))]))
        for count in 1..<bytes.readableBytes {
            let part = try #require(bytes.getSlice(at: 0, length: count))
            #expect(throws: RTMPError.self, "\(count)") { try AMF0Reader.values(part) }
        }
    }

    @Test(arguments: [
        [0x0a, 0xff, 0xff, 0xff, 0xff, 5],  // An array of four thousand million elements.
        [0x07, 0, 0],  // A reference.
        [0x11, 1],  // AMF 3.
        [0x09],  // The end of nothing.
    ])
    func badValuesAreErrors(_ bytes: [UInt8]) { #expect(throws: RTMPError.self) { try Self.values(bytes) } }

    @Test func deepValuesAreRefused() throws {
        let array: [UInt8] = [0x0a, 0, 0, 0, 1]
        func nested(_ depth: Int) -> [UInt8] { Array(repeatElement(array, count: depth).joined()) }
        #expect(try Self.values(nested(AMF0Reader.maximumDepth - 1) + [5]).count == 1)
        #expect(throws: RTMPError.self) { try Self.values(nested(AMF0Reader.maximumDepth) + [5]) }
        #expect(throws: RTMPError.self) { try Self.values(nested(100_000) + [5]) }
    }

    @Test func manyValuesAreRefused() throws {
        let nulls = [UInt8](repeating: 5, count: AMF0Reader.maximumValueCount)
        #expect(try Self.values(nulls).count == nulls.count)
        #expect(throws: RTMPError.self) { try Self.values(nulls + [5]) }
    }

    /// An array whose number of properties is wrong, and an object with the name of a class.
    @Test func whatEncodersSendIsRead() throws {
        let properties: [UInt8] = [0, 1, 0x61, 5, 0, 0, 9]
        let expected = [AMF0Value.Property("a", .null)]
        #expect(try Self.values([0x08, 0, 0, 0, 9] + properties) == [.ecmaArray(expected)])
        #expect(try Self.values([0x10, 0, 1, 0x43] + properties) == [.object(expected)])
        #expect(try Self.values([0x0d, 0x0f, 0, 0, 0, 1, 0x78]) == [.undefined, .string("x")])
    }

    @Test func theLastOfTwoPropertiesCounts() {
        let object = AMF0Value.object([.init("app", .string("a")), .init("app", .string("b"))])
        #expect(object["app"]?.string == "b" && object["no"] == nil && AMF0Value.null["app"] == nil)
    }
}
