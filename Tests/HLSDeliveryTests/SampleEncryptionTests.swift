import Crypto
import CryptoExtras
import DASHConformance
import Foundation
import GatewayTestSupport
import HTTPTypes
import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Packaging
import TestSupport
import Testing

@testable import HLSDelivery

/// Titles whose samples are encrypted with `cbcs`, as players of HLS and DASH get them.
@Suite(.timeLimit(.minutes(1)))
struct SampleEncryptionTests {
    /// A server with one title, `film`, in the clear as `clear`.
    private final class Fixture: Sendable {
        let folder: TemporaryDirectory
        let title: PackagedTitle
        let key = TitleKey(bytes: Array(0x10..<0x20), method: .cbcs)
        private let delivery: MediaDelivery
        private let threads = NIOThreadPool(numberOfThreads: 1)

        init(_ path: String) throws {
            folder = try TemporaryDirectory()
            threads.start()
            let file = try MediaFile(path: path)
            title = try PackagedTitle(index: try MovieIndex.read(from: file), file: file)
            let titles = FakeTitles()
            let encryption = TitleEncryption(
                key: key, secret: SymmetricKey(size: .bits256), now: WallClock.system.now())
            titles.set(
                .ready(title, revision: "r1", extras: TitleExtras(encryption: encryption)), at: .title(id: "film"))
            titles.set(.ready(title, revision: "r1"), at: .title(id: "clear"))
            delivery = MediaDelivery(
                channels: RadioPublisher().directory, titles: titles, threadPool: threads)
        }

        deinit { threads.shutdownGracefully { _ in } }

        func get(
            _ path: String, method: HTTPRequest.Method = .get, fields: HTTPFields = [:], body: [String] = []
        ) async throws -> ReceivedAnswer {
            let delivery = delivery
            let channel = try await NIOAsyncTestingChannel { channel in
                try channel.pipeline.syncOperations.addHandlers([
                    MediaDeliveryHandler(delivery: delivery), FakeRouter(),
                ])
            }
            try await channel.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).get()
            for part in TestRequest.parts(path, method: method, fields: fields, body: body) {
                try await channel.writeInbound(part)
            }
            var parts: [HTTPResponsePart] = []
            while true {
                let part = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
                parts.append(part)
                if case .end = part { break }
            }
            _ = try? await channel.finish()
            return try #require(ReceivedAnswer.answers(parts).first)
        }

        func bytes(_ path: String) async throws -> [UInt8] {
            let answer = try await get(path)
            #expect(answer.status == 200, "\(path): \(answer.text)")
            return Array(answer.body.readableBytesView)
        }

        /// The initialization section and the first segments of a rendition.
        func media(_ title: String, _ rendition: String, count: Int) async throws -> (
            initial: [UInt8], segments: [[UInt8]]
        ) {
            var segments: [[UInt8]] = []
            for number in 0..<count { segments.append(try await bytes("/vod/\(title)/r1/\(rendition)/\(number).m4s")) }
            return (try await bytes("/vod/\(title)/r1/\(rendition)/init.mp4"), segments)
        }

        /// The license's address and token as the manifest names them.
        func license(_ prefix: String = "") async throws -> String {
            let text = try await get("\(prefix)/vod/film/manifest.mpd").text
            let match = try #require(text.firstMatch(of: /<dashif:Laurl>([^<]+)<\/dashif:Laurl>/))
            return String(match.1)
        }

        var request: String { "{\"kids\":[\"\(ClearKeyLicense.base64URL(key.commonID))\"],\"type\":\"temporary\"}" }
    }

    // MARK: Samples

    /// A video of each codec, by the name of its sample entry.
    private enum Video: String, CaseIterable, Sendable {
        case avc1, hvc1, av01

        func path(in folder: TemporaryDirectory) async throws -> String {
            switch self {
            case .avc1: return try await MovieFixture.bFrames.path()
            case .hvc1: return try await MovieFixture.hevc.path()
            case .av01:
                let path = try folder.file("av1.mp4")
                _ = try await ExternalTool.ffmpeg().run(
                    [
                        "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=256x128:rate=25:duration=7",
                        "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=7", "-c:v", "libaom-av1", "-cpu-used",
                        "8", "-tiles", "2x2", "-lag-in-frames", "12", "-g", "50", "-c:a", "aac", path,
                    ], deadline: 60)
                return path
            }
        }
    }

    /// ffmpeg decrypts what players get, with the key that they get, to the frames of the file.
    @Test(arguments: Video.allCases) private func ffmpegDecryptsTheFramesOfTheFile(_ video: Video) async throws {
        let folder = try TemporaryDirectory()
        let fixture = try Fixture(try await video.path(in: folder))
        for (rendition, map) in [("video", "0:v"), ("audio", "0:a")] {
            let (clear, sealed) = (
                try await fixture.media("clear", rendition, count: 1),
                try await fixture.media("film", rendition, count: 1)
            )
            var frames: [[String]] = []
            for (name, media, key) in [
                ("clear", clear, nil), ("sealed", sealed, fixture.key.bytes.hexadecimalDigits),
            ] {
                let path = try fixture.folder.write(
                    media.initial + media.segments.joined(), to: "\(name)-\(rendition).mp4")
                let result = try await ExternalTool.ffmpeg().run(
                    ["-v", "error", "-nostdin"] + (key.map { ["-decryption_key", $0] } ?? [])
                        + ["-i", path, "-map", map, "-f", "framemd5", "-"])
                frames.append(result.lines.filter { !$0.hasPrefix("#") }.map { String($0) })
            }
            #expect(frames[0].count > 20 && frames[0] == frames[1], "\(rendition)")
        }
    }

    /// The boxes are enough to get the samples back, byte for byte, and nearly all of the media is protected.
    @Test(arguments: Video.allCases) private func theBoxesSayWhatIsProtected(_ video: Video) async throws {
        let folder = try TemporaryDirectory()
        let fixture = try Fixture(try await video.path(in: folder))
        for (rendition, original) in [("video", video.rawValue), ("audio", "mp4a")] {
            let (clear, sealed) = (
                try await fixture.media("clear", rendition, count: 2),
                try await fixture.media("film", rendition, count: 2)
            )
            let track = try #require(ProtectedTrack(initializationSection: sealed.initial))
            let isVideo = rendition == "video"
            #expect(track.format == original && track.scheme == "cbcs" && track.entry == (isVideo ? "encv" : "enca"))
            #expect(track.pattern == (isVideo ? 0x19 : 0) && track.keyID == fixture.key.commonID)
            #expect(track.vector == fixture.key.vector(of: rendition) && track.sampleVectorByteCount == 0)
            for (plain, segment) in zip(clear.segments, sealed.segments) {
                let boxes = BoxNode.parse(segment)
                #expect(boxes.map(\.type) == ["moof", "mdat"])
                let opened = try #require(track.decrypted(boxes, key: fixture.key.bytes))
                let media = try #require(BoxNode.parse(plain).last).content
                #expect(opened.media == media)
                #expect(boxes[1].content != media)
                let share = Double(opened.protectedByteCount) / Double(media.count)
                #expect(share > 0.9, "\(rendition): \(share)")
            }
        }
    }

    @Test func iFramesAreEncryptedLikeTheVideo() async throws {
        let fixture = try Fixture(try await MovieFixture.bFrames.path())
        let track = try #require(
            ProtectedTrack(initializationSection: try await fixture.bytes("/vod/film/r1/video/init.mp4")))
        let clear = try #require(BoxNode.parse(try await fixture.bytes("/vod/clear/r1/iframes/1.m4s")).last)
        let boxes = BoxNode.parse(try await fixture.bytes("/vod/film/r1/iframes/1.m4s"))
        #expect(try #require(track.decrypted(boxes, key: fixture.key.bytes)).media == clear.content)
        let playlist = try await fixture.get("/vod/film/iframes.m3u8").text
        #expect(playlist.contains("METHOD=SAMPLE-AES") && !playlist.contains("BYTERANGE"))
    }

    @Test func otherAudioIsEncryptedAsAWhole() async throws {
        let folder = try TemporaryDirectory()
        for (codec, entry) in [("ac3", "ac-3"), ("eac3", "ec-3"), ("libopus", "Opus"), ("flac", "fLaC")] {
            let path = try folder.file("\(codec).mp4")
            _ = try await ExternalTool.ffmpeg().run([
                "-v", "error", "-nostdin", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1", "-c:a", codec,
                "-strict", "experimental", path,
            ])
            let fixture = try Fixture(path)
            let (clear, sealed) = (
                try await fixture.media("clear", "audio", count: 1), try await fixture.media("film", "audio", count: 1)
            )
            let track = try #require(ProtectedTrack(initializationSection: sealed.initial))
            #expect(track.entry == "enca" && track.format == entry)
            let opened = try #require(track.decrypted(BoxNode.parse(sealed.segments[0]), key: fixture.key.bytes))
            #expect(opened.media == BoxNode.parse(clear.segments[0]).last?.content)
            #expect(Double(opened.protectedByteCount) > 0.8 * Double(opened.media.count))
        }
    }

    /// A title whose frames cannot be understood is not sent at all: here its picture parameter set is broken.
    @Test func whatCannotBeReadIsRefusedWithTheReason() async throws {
        let folder = try TemporaryDirectory()
        var bytes = try bytesOfFile(try await MovieFixture.bFrames.path())
        let record = try #require(bytes.firstRange(of: Array("avcC".utf8))).upperBound
        // One sequence parameter set after the record's first six bytes, then the number of picture parameter sets.
        let pictureSet = record + 8 + Int(bytes[record + 7]) + 3
        #expect(bytes[pictureSet] & 0x1F == 8)
        bytes[pictureSet + 1] = 0
        let fixture = try Fixture(try folder.write(bytes, to: "film.mp4"))
        for name in ["playlist.m3u8", "video.m3u8", "manifest.mpd", "r1/video/0.m4s", "r1/video/init.mp4"] {
            #expect(try await fixture.get("/vod/clear/\(name)").status == 200)
            let answer = try await fixture.get("/vod/film/\(name)")
            #expect(answer.status == 404 && answer.text.contains("#encryption-not-supported\""), "\(name)")
            #expect(answer.text.contains("a parameter set ends too early"))
        }
    }

    // MARK: Playlists and manifests

    @Test func bothFormatsNameTheSameSegmentsAndTheirKey() async throws {
        let fixture = try Fixture(try await MovieFixture.bFrames.path())
        let playlist = try await fixture.get("/vod/film/video.m3u8")
        #expect(playlist.head.headerFields[.cacheControl] == "private, max-age=30")
        let lines = playlist.text.split(separator: "\n")
        let vector = fixture.key.vector(of: "video").hexadecimalDigits
        let keyLine = try #require(lines.first { $0.hasPrefix("#EXT-X-KEY") })
        #expect(
            keyLine.wholeMatch(
                of:
                    /#EXT-X-KEY:METHOD=SAMPLE-AES,URI="key\?token=[0-9]+-[0-9a-f]+",IV=0x([0-9a-f]+),KEYFORMAT="identity"/
            )?.1 ?? "" == vector)
        let parsed = try MediaPlaylist(parsing: playlist.text)
        let answer = try await fixture.get("/vod/film/manifest.mpd")
        #expect(answer.status == 200 && answer.head.headerFields[.cacheControl] == "private, max-age=30")
        let manifest = try ManifestDocument(parsing: answer.text)
        let renditions = try #require(manifest.periods.first).renditions
        let video = try #require(renditions.first { $0.segments.first?.address.contains("/video/") == true })
        #expect(video.segments.map(\.address) == parsed.segments.map(\.uri))
        #expect(
            answer.text.matches(of: /ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cbcs"/)
                .count
                == 2)
        let digits = fixture.key.commonID.hexadecimalDigits
        let identifier = try #require(answer.text.firstMatch(of: /cenc:default_KID="([0-9a-f-]{36})"/)).1
        #expect(identifier.replacing("-", with: "") == digits)
        // The multivariant playlist leads to fMP4, and MPEG-TS has no such encryption.
        #expect(try await fixture.get("/vod/film/playlist.m3u8").text.contains("\nvideo.m3u8"))
        for name in ["playlist.m3u8?format=ts", "ts.m3u8"] {
            let refusal = try await fixture.get("/vod/film/\(name)")
            #expect(refusal.status == 406 && refusal.text.contains("cbcs"))
        }
        #expect(try await fixture.get("/vod/film/r1/ts/0.ts").status == 404)
        #expect(!(try await fixture.get("/vod/clear/manifest.mpd")).text.contains("ContentProtection"))
    }

    /// ffmpeg fetches the key and decrypts by itself.
    @Test func ffmpegPlaysThePlaylist() async throws {
        let fixture = try Fixture(try await MovieFixture.bFrames.path())
        for name in ["film", "clear"] {
            var text = try await fixture.get("/vod/\(name)/video.m3u8").text
            let keyName = text.firstMatch(of: /URI="(key\?token=[^"]+)"/).map { String($0.1) }
            if let keyName {
                try fixture.folder.write(try await fixture.bytes("/vod/film/\(keyName)"), to: "\(name)/key")
                text.replace(keyName, with: "key")
            }
            try fixture.folder.write(text, to: "\(name)/video.m3u8")
            let count = try MediaPlaylist(parsing: text).segments.count
            let media = try await fixture.media(name, "video", count: count)
            try fixture.folder.write(media.initial, to: "\(name)/r1/video/init.mp4")
            for (number, segment) in media.segments.enumerated() {
                try fixture.folder.write(segment, to: "\(name)/r1/video/\(number).m4s")
            }
        }
        var frames: [[Substring]] = []
        for name in ["film", "clear"] {
            let result = try await ExternalTool.ffmpeg().run([
                "-v", "error", "-nostdin", "-allowed_extensions", "ALL", "-i",
                "\(fixture.folder.path)/\(name)/video.m3u8",
                "-f", "framemd5", "-",
            ])
            frames.append(result.lines.filter { !$0.hasPrefix("#") })
        }
        #expect(frames[0].count > 200 && frames[0] == frames[1])
    }

    // MARK: Licenses

    @Test func aLicenseHasTheKey() async throws {
        let fixture = try Fixture(try await MovieFixture.bFrames.path())
        let address = try await fixture.license()
        #expect(address.hasPrefix("/vod/film/license?token="))
        let answer = try await fixture.get(
            address, method: .post, fields: [.contentType: "application/json"],
            body: [String(fixture.request.prefix(10)), String(fixture.request.dropFirst(10))])
        #expect(answer.status == 200 && answer.head.headerFields[.contentType] == "application/json")
        #expect(answer.head.headerFields[.cacheControl] == "no-store")
        #expect(answer.head.headerFields[.accessControlAllowOrigin] == "*")
        struct License: Decodable, Equatable {
            struct Key: Decodable, Equatable { var kty, kid, k: String }
            var keys: [Key]
            var type: String
        }
        let license = try JSONDecoder().decode(License.self, from: Data(answer.body.readableBytesView))
        let encoded = ClearKeyLicense.base64URL
        #expect(
            license
                == License(
                    keys: [.init(kty: "oct", kid: encoded(fixture.key.commonID), k: encoded(fixture.key.bytes))],
                    type: "temporary"))
        // Without padding, 22 characters for 16 bytes.
        #expect(license.keys[0].k.count == 22 && license.keys[0].kid.count == 22)
    }

    @Test func otherRequestsForALicenseAreRefused() async throws {
        let fixture = try Fixture(try await MovieFixture.bFrames.path())
        let address = try await fixture.license()
        let path = "/vod/film/license"
        let large = String(repeating: " ", count: ClearKeyLicense.maximumRequestByteCount)
        let many = Array(repeating: "\"a\"", count: ClearKeyLicense.maximumKeyCount + 1).joined(separator: ",")
        for (target, body, status) in [
            (path, fixture.request, 401), ("\(path)?token=1900000000-00", fixture.request, 403), (address, "", 400),
            (address, "{\"kids\":[]}", 400), (address, "{\"kids\":[1]}", 400), (address, "[]", 400),
            (address, "{\"kids\":[\(many)]}", 400), (address, large + fixture.request, 413),
            (address, "{\"kids\":[\"LwVHf8JLtPrv2GUXFW2v_A\"]}", 404),
            (address.replacing("film", with: "clear"), fixture.request, 404),
            (address.replacing("film", with: "nobody"), fixture.request, 404),
        ] {
            let answer = try await fixture.get(target, method: .post, body: [body])
            #expect(answer.status == status, "\(target) \(body.prefix(30))")
            #expect(answer.head.headerFields[.cacheControl] == "no-store")
        }
        let get = try await fixture.get(address)
        #expect(get.status == 405 && get.head.headerFields[.allow] == "POST")
        // Nothing else takes POST here.
        #expect(LicenseRequest(HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/vod/film/key")) == nil)
    }

    /// Players add nothing to the address of a license, so it has the signature of the manifest.
    @Test func theLicenseOfASignedManifestIsSigned() async throws {
        let fixture = try Fixture(try await MovieFixture.bFrames.path())
        let plain = try await fixture.license()
        #expect(plain.hasPrefix("/vod/film/"))
        let request = try #require(MediaRequest(target: "/signed/exp=1,id=a,sig=b\(plain)"))
        #expect(request.resource == .license && request.signature == "exp=1,id=a,sig=b")
    }

    @Test func pagesOfOtherOriginsMayAskForALicense() throws {
        let policy = MediaCrossOriginPolicy.everyone
        func methods(_ path: String) -> String? {
            let request = HTTPRequest(
                method: .options, scheme: "http", authority: "host", path: path,
                headerFields: [.origin: "https://a.example", .accessControlRequestMethod: "POST"])
            return policy.preflight(request)?.head.headerFields[.accessControlAllowMethods]
        }
        #expect(methods("/vod/film/license?token=1-a") == "POST")
        #expect(methods("/vod/film/key?token=1-a") == "GET, HEAD")
    }
}

/// What an initialization section says about the encryption of its track, and a decryptor that follows the standard.
private struct ProtectedTrack {
    var entry = ""
    var format = ""
    var scheme = ""
    var pattern: UInt8 = 0
    var sampleVectorByteCount: UInt8 = 0
    var keyID: [UInt8] = []
    var vector: [UInt8] = []

    init?(initializationSection bytes: [UInt8]) {
        guard let description = Self.find("stsd", in: BoxNode.parse(bytes)),
            let entry = BoxNode.parse(description.content.dropFirst(8)).first
        else { return nil }
        self.entry = entry.type
        let fields = entry.type == "encv" ? 78 : 28
        guard let protection = BoxNode.parse(entry.content.dropFirst(fields)).first(where: { $0.type == "sinf" }) else {
            return nil
        }
        let children = BoxNode.parse(protection.content)
        format = String(decoding: children.first { $0.type == "frma" }?.content ?? [], as: UTF8.self)
        scheme = String(
            decoding: children.first { $0.type == "schm" }?.content.dropFirst(4).prefix(4) ?? [], as: UTF8.self)
        guard let information = children.first(where: { $0.type == "schi" }),
            let encryption = BoxNode.parse(information.content).first?.content, encryption.count == 41,
            encryption[0] == 1,
            encryption[6] == 1
        else { return nil }
        (pattern, sampleVectorByteCount) = (encryption[5], encryption[7])
        keyID = Array(encryption[8..<24])
        vector = Array(encryption[25...])
        guard encryption[24] == 16 else { return nil }
    }

    private static func find(_ type: String, in nodes: [BoxNode]) -> BoxNode? {
        for node in nodes {
            if node.type == type { return node }
            if let found = find(type, in: node.children) { return found }
        }
        return nil
    }

    /// Decrypts a segment; `nil` if its boxes contradict each other.
    func decrypted(_ boxes: [BoxNode], key: [UInt8]) -> (media: [UInt8], protectedByteCount: Int)? {
        guard let run = Self.find("trun", in: boxes)?.content, var media = boxes.last?.content else { return nil }
        let flags = Self.number(run, 1, 3)
        let stride = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 } * 4
        let first = 12 + (flags & 4 != 0 ? 4 : 0) + (flags & 0x100 != 0 ? 4 : 0)
        let sizes = (0..<Self.number(run, 4, 4)).map { Self.number(run, first + $0 * stride, 4) }
        var ranges: [Range<Int>] = []
        var position = 0
        if pattern == 0 {
            guard Self.find("senc", in: boxes) == nil else { return nil }
            for size in sizes {
                ranges.append(position..<position + size)
                position += size
            }
        } else {
            guard let protection = Self.find("senc", in: boxes)?.content,
                let table = Self.find("saiz", in: boxes)?.content,
                let offsets = Self.find("saio", in: boxes)?.content, Self.number(protection, 4, 4) == sizes.count
            else { return nil }
            // The offset of the first entry, from the start of `moof`.
            let moof = boxes[0].bytes
            let start = Self.number(offsets, 8, 4)
            guard Array(moof[start..<start + protection.count - 8]) == Array(protection[8...]) else { return nil }
            var at = 8
            for (index, size) in sizes.enumerated() {
                let count = Self.number(protection, at, 2)
                guard Int(table[9 + index]) == 2 + 6 * count else { return nil }
                at += 2
                let end = position + size
                for _ in 0..<count {
                    position += Self.number(protection, at, 2)
                    let length = Self.number(protection, at + 2, 4)
                    ranges.append(position..<position + length)
                    position += length
                    at += 6
                }
                guard position == end else { return nil }
            }
        }
        guard position == media.count else { return nil }
        let cycle = pattern == 0 ? 1 : Int(pattern >> 4 + pattern & 15)
        for range in ranges {
            let starts = Swift.stride(from: range.lowerBound, to: range.upperBound - 15, by: 16).enumerated().filter {
                $0.offset % cycle == 0
            }.map(\.element)
            let sealed = starts.flatMap { media[$0..<$0 + 16] }
            guard !sealed.isEmpty else { continue }
            guard
                let opened = try? AES._CBC.decrypt(
                    sealed, using: SymmetricKey(data: key), iv: AES._CBC.IV(ivBytes: vector), noPadding: true)
            else { return nil }
            for (index, place) in starts.enumerated() {
                media.replaceSubrange(place..<place + 16, with: opened.dropFirst(index * 16).prefix(16))
            }
        }
        return (media, ranges.reduce(0) { $0 + $1.count })
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
