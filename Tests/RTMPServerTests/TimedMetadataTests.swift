import HLSPlaylist
import LiveChannels
import RTMPProtocol
import Testing

@testable import RTMPServer

/// Events of encoders become date ranges.
struct TimedMetadataTests {
    private static func attributes(_ name: String, _ value: AMF0Value) -> [String: DateRange.Attribute.Value]? {
        TimedMetadata(event: name, [value]).map { metadata in
            Dictionary(metadata.attributes.map { ($0.name, $0.value) }) { $1 }
        }
    }

    @Test func aCuePointHasItsFields() {
        let cue = AMF0Value.object([
            .init("name", .string("goal")), .init("time", .number(12.5)), .init("type", .string("event")),
            .init("parameters", .object([.init("team", .string("Norte")), .init("is own", .boolean(false))])),
        ])
        #expect(
            Self.attributes("onCuePoint", cue) == [
                "X-NAME": .string("goal"), "X-TIME": .number(12.5), "X-TYPE": .string("event"),
                "X-PARAMETERS-TEAM": .string("Norte"), "X-PARAMETERS-IS-OWN": .string("false"),
            ])
        #expect(TimedMetadata(event: "onCuePoint", [cue])?.rangeClass == "rtmp.cuepoint")
    }

    @Test func textsAndCaptionsAreEvents() {
        let text = AMF0Value.ecmaArray([.init("text", .string("¡Hola!")), .init("language", .string("spa"))])
        #expect(
            Self.attributes("onTextData", text) == ["X-TEXT": .string("¡Hola!"), "X-LANGUAGE": .string("spa")])
        #expect(TimedMetadata(event: "onCaption", [text])?.rangeClass == "rtmp.caption")
    }

    @Test func whatCannotStandInAPlaylistIsLeftOut() {
        let fields = AMF0Value.object([
            .init("a", .string("\"quoted\"")), .init("b", .string("line\nbreak")), .init("c", .number(-1)),
            .init("d", .number(.nan)), .init("e", .string("")), .init("f", .null), .init("ok", .number(1)),
            .init("ok", .number(2)), .init("long", .string(String(repeating: "x", count: 5_000))),
        ])
        #expect(Self.attributes("onCuePoint", fields) == ["X-OK": .number(1)])
        #expect(TimedMetadata(event: "onCuePoint", [.object([])]) == nil)
        #expect(TimedMetadata(event: "onMetaData", [fields]) == nil)
        #expect(TimedMetadata(event: "onCuePoint", []) == nil)
        let many = AMF0Value.object((0..<100).map { .init("f\($0)", .number(1)) })
        #expect(TimedMetadata(event: "onCuePoint", [many])?.attributes.count == TimedMetadata.maximumAttributeCount)
    }
}
