import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct ShutdownTests {
        @Test func finishesARequestInFlightAndStopsWithinFiveSeconds() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await MediaClients.make(
                    folder.file("media/audio/long.wav"),
                    ["-f", "lavfi", "-i", "sine=duration=120:sample_rate=48000", "-ac", "2", "-metadata", "title=Long"])
            }
            let track = try await server.ingestedTrack(titled: "Long")
            let (port, path) = (server.httpPort, "/radio/\(track.id)/file")
            let connection = try await offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                return connection
            }
            let head = try await offCooperativePool { try connection.read(until: "\r\n\r\n") }
            let length = try #require(Int(try WebReply(head: head, body: []).headers["content-length"] ?? ""))
            #expect(length > 10_000_000)
            server.signal(SIGTERM)
            let body = try await offCooperativePool { try connection.read(count: length) }
            #expect(body.count == length)
            // The server itself ends with 1 if it has not come to its end after five seconds.
            #expect(try await server.waitForExit(within: 30) == 0)
        }

        @Test func stopsWithinFiveSecondsWhileAPublisherPushes() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await eventually("canalA goes live") {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 30) == 0)
            publisher.kill()
        }

        @Test func keepsTheCatalogueWhenKilled() async throws {
            let server = try await VideoOnDemandTests.servingOneFilm()
            let before = try await server.ingested("film.mp4")
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 5)
            try await server.start()
            let item = try #require(try await server.items("/api/v1/titles").first)
            #expect(item["id"] as? String == before.id)
            #expect(item["state"] as? String == "ready")
            try await MediaClients.decode(server.origin + before.playlist, seconds: 2)
        }

        @Test func finishesAfterTheRestartWhatWasBeingIngested() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await MediaClients.make(
                    folder.file("media/vod/film.webm"),
                    [
                        "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8", "-c:v", "libvpx", "-deadline",
                        "realtime",
                    ])
            }
            _ = try await eventually("the title is acknowledged") {
                try await server.items("/api/v1/titles").first.map { _ in true }
            }
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 5)
            try await server.start()
            #expect(try await server.ingested("film.webm").state == "ready")
        }

        @Test func refusesTheDataOfARunningServer() async throws {
            let server = try await AntenaProcess.serving()
            let second = try await AntenaProcess.command(server.arguments, deadline: 20)
            #expect(second.status != 0)
            #expect(second.errorOutput.contains("\(server.folder.path)/data"))
            #expect(try await server.request("/healthz").status == 200)
        }
    }
}
