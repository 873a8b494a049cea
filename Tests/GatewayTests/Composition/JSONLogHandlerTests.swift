import Gateway
import JSONDocument
import Logging
import MediaCore
import Synchronization
import Testing

struct JSONLogHandlerTests {
    private final class Lines: Sendable {
        let value = Mutex<[String]>([])
    }

    private let lines = Lines()

    private func logger(_ provider: Logger.MetadataProvider? = nil) -> Logger {
        let clock = WallClock { WallClockTime(millisecondsSince1970: 1_700_000_000_123) }
        return Logger(label: "antena") { [lines] label in
            EscapingLogHandler(
                JSONLogHandler(label: label, metadataProvider: provider, clock: clock) { line in
                    lines.value.withLock { $0.append(line) }
                })
        }
    }

    @Test func aLineIsOneObject() throws {
        let logger = logger()
        logger.warning("the disk is full", metadata: ["channel.name": "ñandú", "count": "3"])
        #expect(
            lines.value.withLock { $0 } == [
                #"{"time":"2023-11-14T22:13:20.123Z","level":"warning","label":"antena","message":"the disk is full","#
                    + #""metadata":{"channel.name":"ñandú","count":"3"}}"# + "\n"
            ])
    }

    @Test func untrustedTextIsEscapedAsInTextAndForJSON() throws {
        var logger = logger(Logger.MetadataProvider { ["request.id": "abc"] })
        logger[metadataKey: "peer"] = "x\ny"
        logger.error(
            "a \"quote\"\u{1B}", metadata: ["path": #"C:\x"#, "list": ["a\rb", ["k": "\u{202E}"]], "peer": "z"])
        let line = try #require(lines.value.withLock { $0.first })
        #expect(line.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        let object = try JSONParser.parse(line.utf8.dropLast())
        #expect(object["message"]?.string == #"a "quote"\u{1b}"#)
        #expect(object["metadata"]?["path"]?.string == #"C:\x"#)
        #expect(object["metadata"]?["peer"]?.string == "z")
        #expect(object["metadata"]?["request.id"]?.string == "abc")
        #expect(object["metadata"]?["list"]?.elements?.first?.string == #"a\rb"#)
        #expect(object["metadata"]?["list"]?.elements?.last?["k"]?.string == #"\u{202e}"#)
    }

    @Test func levelsAreKept() {
        var logger = logger()
        logger.logLevel = .error
        logger.warning("not this")
        #expect(lines.value.withLock { $0.isEmpty })
    }
}
