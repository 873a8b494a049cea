import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Photos of members, made by the real, confined worker.
    @Suite struct PhotoTests {
        /// An Exif segment (JPEG APP1) that says how the camera was held, and a comment that must not be published.
        private static func exif(orientation: UInt8) -> [UInt8] {
            let tiff: [UInt8] =
                Array("II".utf8) + [42, 0, 8, 0, 0, 0, 2, 0]
                // Orientation, SHORT; ImageDescription, ASCII at offset 38.
                + [0x0E, 0x01, 2, 0, 12, 0, 0, 0, 38, 0, 0, 0] + [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
                + [0, 0, 0, 0] + Array("Calle Mayor\0".utf8)
            let segment = Array("Exif\0\0".utf8) + tiff
            return [0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment
        }

        /// The average colour of a part of an image.
        private static func colour(_ image: String, crop: String) async throws -> [Int] {
            try await ExternalTool.ffmpeg().run([
                "-v", "error", "-nostdin", "-i", image, "-vf", "crop=\(crop),scale=1:1:flags=area,format=rgb24",
                "-frames:v", "1", "-f", "rawvideo", "-",
            ]).output.map(Int.init)
        }

        @Test func aPhotoOfAPhoneIsTurnedCutAndStripped() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("ana", "member", server)
            let logIn = try await server.web.request(
                "/api/v1/session", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{"username": "ana", "password": "correct horse battery"}"#)
            let cookie = try #require(logIn.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
            let session = try await server.web.request("/api/v1/session", headers: ["Cookie": cookie])
            let csrf = try #require(try session.json["csrf"] as? String)
            // As the sensor of a phone that is held upright sees it: what is above lies on the left.
            let file = try server.folder.file("sensor.jpg")
            try await MediaClients.make(
                file,
                [
                    "-f", "lavfi", "-i", "color=red:size=400x600", "-f", "lavfi", "-i", "color=blue:size=400x600",
                    "-filter_complex", "hstack,format=yuvj420p", "-frames:v", "1", "-update", "1",
                ])
            let plain = [UInt8](try Data(contentsOf: URL(filePath: file)))
            var photo = plain
            photo.insert(contentsOf: Self.exif(orientation: 6), at: 2)
            let headers = ["Cookie": cookie, "X-CSRF-Token": csrf, "Content-Type": "image/jpeg"]
            let sent = try await server.web.request(
                "/api/v1/me/photo", method: "PUT", headers: headers, bytes: photo)
            #expect(sent.status == 200, "\(sent.text)")
            let reply = try await server.web.request("/api/v1/users/ana/photo", headers: ["Cookie": cookie])
            let image = try server.folder.write(reply.body, to: "photo.jpg")
            let (above, below) = (
                try await Self.colour(image, crop: "256:100:0:0"), try await Self.colour(image, crop: "256:100:0:156")
            )
            #expect(above[0] > 200 && above[2] < 60 && below[2] > 200 && below[0] < 60, "\(above), \(below)")
            #expect(reply.body.firstRange(of: Array("Exif".utf8)) == nil)
            #expect(reply.body.firstRange(of: Array("Calle".utf8)) == nil)
            // Everything else is refused, and leaves nothing behind.
            for (bytes, status) in [(Array("<svg/>".utf8), 422), ([0xFF, 0xD8, 0xFF, 0xE0], 422)] as [([UInt8], Int)] {
                let refused = try await server.web.request(
                    "/api/v1/me/photo", method: "PUT", headers: headers, bytes: bytes)
                #expect(refused.status == status && !refused.text.contains(server.folder.path), "\(refused.text)")
            }
            let posters = "\(server.folder.path)/data/posters"
            let left = (try? FileManager.default.contentsOfDirectory(atPath: posters)) ?? []
            #expect(left.isEmpty, "\(left)")
        }
    }
}
