import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct BadInputTests {
        /// A valid file in which the size field of every box of a type is replaced.
        private static func lying(_ bytes: [UInt8], about type: String, value: UInt32) -> [UInt8] {
            var (copy, start) = (bytes, bytes.startIndex)
            while let range = copy[start...].firstRange(of: Array(type.utf8)) {
                let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
                if range.lowerBound >= 4 { copy.replaceSubrange(range.lowerBound - 4..<range.lowerBound, with: size) }
                start = range.upperBound
            }
            return copy
        }

        /// The sample table's first chunk offset points far beyond the end.
        private static func misplaced(_ bytes: [UInt8]) -> [UInt8] {
            var copy = bytes
            while let range = copy.firstRange(of: Array("stco".utf8)) {
                copy.replaceSubrange(range, with: Array("stcO".utf8))
                copy.replaceSubrange(range.upperBound + 8..<range.upperBound + 12, with: [0x7F, 0xFF, 0xFF, 0xFF])
            }
            while let range = copy.firstRange(of: Array("stcO".utf8)) { copy[range.upperBound - 1] = UInt8(ascii: "o") }
            return copy
        }

        @Test func failsEachBadFileByItselfAndGoesOnServing() async throws {
            let good = try bytesOfFile(try await MovieFixture.noBFrames.path())
            let bad: [(name: String, bytes: [UInt8])] = [
                ("truncated.mp4", Array(good.prefix(good.count / 3))),
                ("lying-size.mp4", Self.lying(good, about: "stsz", value: 0x7FFF_FFFF)),
                ("lying-moov.mp4", Self.lying(good, about: "moov", value: 12)),
                ("lying-offset.mp4", Self.misplaced(good)),
                ("empty.mp4", []), ("text.mp4", Array("this is no video\n".utf8)),
                ("concat.mp4", Array("ffconcat version 1.0\nfile /etc/hostname\n".utf8)),
                (
                    "m3u8.mp4",
                    Array("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n".utf8)
                ),
            ]
            let server = try await AntenaProcess.serving { folder in
                for file in bad { try folder.write(file.bytes, to: "media/vod/\(file.name)") }
                let sparse = try folder.write([], to: "media/vod/sparse.mp4")
                let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: sparse))
                try handle.truncate(atOffset: 4 << 30)
                try handle.close()
                try folder.write(good, to: "media/vod/good.mp4")
            }
            for name in bad.map(\.name) + ["sparse.mp4"] {
                let title = try await server.ingested(name)
                #expect(title.state == "failed", "\(name)")
                #expect(title.error?.contains(name) == true, "\(name): \(title.error ?? "no reason")")
            }
            let title = try await server.ingested("good.mp4")
            #expect(title.state == "ready")
            try await MediaClients.decode(server.origin + title.playlist, seconds: 2)
        }

        @Test(arguments: [
            "GET /../../etc/hostname HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "GET /vod/mp4:../../../etc/hostname/playlist.m3u8 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "GET /vod/%00/playlist.m3u8 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "GET /radio/%2e%2e/file HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
        ])
        func refusesPathsThatLeadOut(_ request: String) async throws {
            let server = try await AntenaProcess.serving()
            let port = server.httpPort
            let answer = try await offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send(request)
                return String(decoding: try connection.readToEnd(), as: UTF8.self)
            }
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(200))")
        }
    }
}
