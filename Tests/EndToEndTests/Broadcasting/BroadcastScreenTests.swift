import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// `antena broadcast --screen` with an X server started by the test.
    @Suite struct BroadcastScreenTests {
        /// Xvfb with a screen of 1280 × 720 on a display that it chooses.
        private struct Screen {
            let program: BackgroundProgram
            let display: String

            /// - Parameter display: the display to use; `nil` chooses a free one.
            init(display: String? = nil) async throws {
                let program = try BackgroundProgram(
                    "Xvfb",
                    (display.map { [$0] } ?? ["-displayfd", "1"]) + [
                        "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset",
                    ])
                self.program = program
                if let display {
                    self.display = display
                    return
                }
                let number = try await eventually("Xvfb's display: \(program.errorOutput)") {
                    program.output.hasSuffix("\n") ? Int(program.output.dropLast()) : nil
                }
                self.display = ":\(number)"
            }
        }

        @Test func aScreenIsPushedAndItsLossOutlived() async throws {
            let server = try await AntenaProcess.serving()
            let screen = try await Screen()
            let broadcast = try BroadcastTests.start(
                BroadcastTests.arguments(server, ["--screen", screen.display, "--preset", "medium", "--no-audio"]))
            try await BroadcastTests.waitUntilLive(broadcast)
            try await BroadcastTests.waitForFrames(server, segmentCount: 4)
            let track = try #require(
                (try await server.request("/api/v1/channels/canalA").json["tracks"] as? [[String: Any]])?.first)
            #expect(track["width"] as? Int == 854 && track["height"] as? Int == 480, "\(track)")
            // A busy machine captures fewer frames, but never more than requested.
            #expect((1...33).contains(track["frameRate"] as? Double ?? 0), "\(track)")

            screen.program.kill()
            let gone = try await eventually("it says that the screen is gone: \(broadcast.output.suffix(500))") {
                BroadcastTests.events(broadcast).compactMap { $0["message"] as? String }
                    .first { $0.contains("the last frame is repeated until it is back") }
            }
            #expect(gone.hasPrefix(screen.display), "\(gone)")
            let sent = BroadcastTests.status(broadcast)?["framesSent"] as? Int ?? 0
            _ = try await eventually("frames go on: \(broadcast.output.suffix(500))") {
                (BroadcastTests.status(broadcast)?["framesSent"] as? Int ?? 0) > sent + 60 ? true : nil
            }
            let again = try await Screen(display: screen.display)
            _ = try await eventually("it is back: \(broadcast.output.suffix(500)) \(again.program.errorOutput)") {
                BroadcastTests.events(broadcast).contains { $0["message"] as? String == "\(screen.display) is back" }
                    ? true : nil
            }
            #expect(BroadcastTests.status(broadcast)?["connections"] as? Int == 1)
            try await MediaClients.decode(server.origin + LiveTests.playlist, seconds: 3)
            broadcast.terminate()
            #expect(try await broadcast.waitForExit(within: 10) == 0)
        }

        @Test func aScreenThatIsNotThereIsSaid() async throws {
            let server = try await AntenaProcess.serving()
            let result = try await AntenaProcess.command(BroadcastTests.arguments(server, ["--screen", ":4711"]))
            #expect(result.status == 66)
            let lines = result.errorOutput.split(separator: "\n")
            #expect(lines.count == 1 && result.errorOutput.contains("is an X server running there"), "\(lines)")
        }
    }
}
