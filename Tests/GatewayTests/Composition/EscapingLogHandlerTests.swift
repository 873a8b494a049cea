import GatewayTestSupport
import Logging
import Testing

@testable import APIClient
@testable import Gateway

struct EscapingLogHandlerTests {
    private struct PeerError: Error, CustomStringConvertible {
        var description: String { "no\nsuch" }
    }

    @Test func noValueCanForgeALineOrSteerATerminal() {
        let recorder = LogRecorder()
        var logger = Logger(label: "test") { _ in EscapingLogHandler(recorder) }
        logger[metadataKey: "peer"] = "x\ny"
        logger.notice(
            "wrong credentials\u{1B}",
            metadata: [
                "user": "ana\n2026-11-22T13:00:00+0000 info antena: forged", "agent": "a\u{1B}]0;x\u{7}",
                "error": .stringConvertible(PeerError()), "list": ["a\rb", ["k\n": "\u{202E}"]],
            ])
        #expect(recorder.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(recorder.text.contains(#"user=ana\n2026-11-22T13:00:00+0000 info antena: forged"#))
        #expect(recorder.text.contains(#"agent=a\u{1b}]0;x\u{7}"#))
        #expect(logger[metadataKey: "peer"] == #"x\ny"#)
    }

    @Test func longValuesAreCut() {
        let recorder = LogRecorder()
        let logger = Logger(label: "test") { _ in EscapingLogHandler(recorder) }
        logger.info("x", metadata: ["agent": "\(String(repeating: "ñ", count: 10_000))"])
        #expect(recorder.text.count < 1_100)
    }

    @Test func levelsAndOrdinaryTextArePassedOn() {
        let recorder = LogRecorder()
        var logger = Logger(label: "test") { _ in EscapingLogHandler(recorder) }
        logger.logLevel = .warning
        logger.info("not this")
        logger.warning("the disk is full", metadata: ["channel.name": "ñandú", "path": #"C:\x"#])
        #expect(recorder.text == #"warning the disk is full channel.name=ñandú path=C:\x"#)
    }

    @Test func tablesOfTheCommandLineAreEscaped() {
        var table = TextTable("NAME", "STATE")
        table.add("a\u{1B}[2Jb\nc", "ok")
        #expect(
            table.text == #"""
                NAME            STATE
                a\u{1b}[2Jb\nc  ok
                """#)
    }
}
