import Catalogue
import Crypto
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaCore
import NIOCore
import Packaging
import Testing
import TestSupport

@testable import MediaIntake
@testable import VODLibrary

@Suite(.eachEngine) struct UploadTests {
    private let fixture: LibraryFixture
    private let clock = TestClock.anHourAhead()

    init() throws { fixture = try LibraryFixture(clock: clock) }

    private struct Broken: Error {}

    /// The bytes in pieces, as a connection delivers them.
    private func pieces(of data: Data, thenFails: Bool = false) -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream { continuation in
            for start in stride(from: 0, to: data.count, by: 1_000) {
                continuation.yield(ByteBuffer(bytes: data.dropFirst(start).prefix(1_000)))
            }
            continuation.finish(throwing: thenFails ? Broken() : nil)
        }
    }

    private func hidden() -> [String] {
        ["vod", "audio"].flatMap { section in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(fixture.folder)/media/\(section)")) ?? [])
                .filter { $0.hasPrefix(".") }
        }
    }

    @Test func aFileInPiecesBecomesATitleAndWhatCameBeforeABreakStays() async throws {
        let movie = try SampleMedia.movie()
        let upload = try await fixture.library.createUpload(
            name: "C:\\films\\My film.mp4", byteCount: Int64(movie.count), from: .operators)
        #expect(upload.name == "My film.mp4")
        await #expect(throws: Broken.self) {
            _ = try await fixture.library.append(
                pieces(of: movie.prefix(2_500), thenFails: true), toUpload: upload.id, offset: 0, checksum: nil)
        }
        #expect(try await fixture.library.upload(id: upload.id)?.offset == 2_500)
        await #expect(throws: UploadError.self) {
            _ = try await fixture.library.append(
                pieces(of: movie), toUpload: upload.id, offset: 0, checksum: nil)
        }
        // A kill here: another run knows what lies on the disk.
        let next = try LibraryFixture(folder: fixture.folder)
        try await next.library.resume()
        #expect(try await next.library.upload(id: upload.id)?.offset == 2_500)
        let (offset, item) = try await next.library.append(
            pieces(of: movie.dropFirst(2_500)), toUpload: upload.id, offset: 2_500, checksum: nil)
        #expect(offset == Int64(movie.count))
        guard case .title(let title)? = item else { throw Broken() }
        #expect(title.id == "my-film" && title.state == .ready)
        #expect(try Data(contentsOf: URL(filePath: fixture.vod("My film.mp4"))) == movie)
        #expect(hidden() == [])
        // The last answer may have been lost.
        let status = try #require(try await next.library.upload(id: upload.id))
        #expect(status.offset == Int64(movie.count) && status.upload.subject == "my-film")
        try await next.library.deleteUpload(id: upload.id)
        #expect(FileManager.default.fileExists(atPath: fixture.vod("My film.mp4")))
        fixture.remove()
    }

    @Test(arguments: UploadChecksum.Algorithm.allCases)
    func bytesWithAnotherChecksumDoNotCount(_ algorithm: UploadChecksum.Algorithm) async throws {
        let data = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let digest: [UInt8] =
            switch algorithm {
            case .sha1: Array(Insecure.SHA1.hash(data: data.prefix(3_000)))
            case .sha256: Array(SHA256.hash(data: data.prefix(3_000)))
            case .md5: Array(Insecure.MD5.hash(data: data.prefix(3_000)))
            }
        let upload = try await fixture.library.createUpload(
            name: "a.mp3", byteCount: Int64(data.count), from: .operators)
        let checksum = UploadChecksum(algorithm: algorithm, digest: digest)
        let wrong = await #expect(throws: UploadError.self) {
            _ = try await fixture.library.append(
                pieces(of: data.dropFirst(1).prefix(3_000)), toUpload: upload.id, offset: 0, checksum: checksum)
        }
        #expect(wrong?.code == .checksumMismatch)
        #expect(try await fixture.library.upload(id: upload.id)?.offset == 0)
        // What came before a break has not been compared.
        await #expect(throws: Broken.self) {
            _ = try await fixture.library.append(
                pieces(of: data.prefix(3_000), thenFails: true), toUpload: upload.id, offset: 0, checksum: checksum)
        }
        #expect(try await fixture.library.upload(id: upload.id)?.offset == 0)
        #expect(
            try await fixture.library.append(
                pieces(of: data.prefix(3_000)), toUpload: upload.id, offset: 0, checksum: checksum
            ).offset == 3_000)
        #expect(try await fixture.library.upload(id: upload.id)?.offset == 3_000)
        fixture.remove()
    }

    /// A kill between the first byte and the comparison.
    @Test func bytesThatWereNotComparedBeforeAKillAreDropped() async throws {
        let upload = try await fixture.library.createUpload(name: "a.mp3", byteCount: 100, from: .operators)
        let writer = try fixture.library.uploads.uploads.begin(
            id: upload.id, offset: 0, checksum: UploadChecksum(algorithm: .md5, digest: []))
        try writer.write(ByteBuffer(bytes: [1, 2, 3]))
        let next = try LibraryFixture(folder: fixture.folder)
        try await next.library.resume()
        #expect(try await next.library.upload(id: upload.id)?.offset == 0)
        #expect(
            try await next.library.append(pieces(of: Data([9])), toUpload: upload.id, offset: 0, checksum: nil).offset
                == 1)
        _ = writer
        fixture.remove()
    }

    /// A kill between its getting its name and its losing the hidden one.
    @Test func aFileThatHasItsNameAlreadyIsNotTakenInTwice() async throws {
        let movie = try SampleMedia.movie()
        let upload = try await fixture.library.createUpload(
            name: "a.mp4", byteCount: Int64(movie.count), from: .operators)
        let file = try fixture.library.uploads.uploads.file(of: upload)
        try movie.write(to: URL(filePath: file.path))
        #expect(link(file.path, fixture.vod("a.mp4")) == 0)
        let next = try LibraryFixture(folder: fixture.folder)
        try await next.library.resume()
        try await next.settle()
        #expect(try await next.catalogue.allTitles().map(\.file) == ["a.mp4"])
        #expect(hidden() == [])
        fixture.remove()
    }

    @Test func limits() async throws {
        #expect(await code("a.mp4", UploadStore.maximumByteCount + 1) == .tooLarge)
        #expect(await code("a.mp4", 0) == .incomplete)
        await #expect(throws: LibraryError.self) {
            // More than any disk of a test has.
            _ = try await fixture.library.createUpload(
                name: "a.mp4", byteCount: UploadStore.maximumByteCount, from: .operators)
            _ = try await fixture.library.createUpload(name: "a.txt", byteCount: 1, from: .operators)
        }
        let upload = try await fixture.library.createUpload(name: "a.mp4", byteCount: 10, from: .operators)
        let more = await #expect(throws: UploadError.self) {
            _ = try await fixture.library.append(
                pieces(of: Data(count: 11)), toUpload: upload.id, offset: 0, checksum: nil)
        }
        #expect(more?.code == .tooLarge)
        let writer = try fixture.library.uploads.uploads.begin(id: upload.id, offset: 0, checksum: nil)
        let locked = await #expect(throws: UploadError.self) {
            _ = try await fixture.library.append(
                pieces(of: Data(count: 1)), toUpload: upload.id, offset: 0, checksum: nil)
        }
        #expect(locked?.code == .locked)
        _ = try fixture.library.uploads.uploads.end(writer, isComplete: true)
        for _ in 1..<UploadSender.maximumUnfinishedCount { #expect(await code("a.mp4", 1) == nil) }
        #expect(await code("a.mp4", 1) == .tooMany)
        clock.advance(by: UploadStore.maximumAge + .seconds(1))
        #expect(try await fixture.library.upload(id: upload.id) == nil)
        #expect(await code("a.mp4", 1) == nil)
        #expect(hidden().count == 1)
        fixture.remove()
    }

    /// Members who announce files and send nothing.
    @Test func membersTakeNeitherThePlacesNorTheRoomOfOperators() async throws {
        let library = fixture.library
        let each = UploadSender.member("").maximumOwnCount
        // Each fits, and together they are more than the disk has.
        let free = try #require(DiskFile.freeByteCount(ofFolder: fixture.folder))
        let accounts = (UploadSender.maximumUnfinishedCount + each - 1) / each
        for account in 0..<accounts {
            for _ in 0..<each {
                _ = try await library.createUpload(
                    name: "a.mp4", byteCount: free / 4, from: .member("account-\(account)"))
            }
        }
        #expect(await code("a.mp4", 1, from: .member("one more")) == .tooMany)
        let operators = try await library.createUpload(name: "b.mp4", byteCount: 1, from: .operators)
        // The one that has waited longest gives way, and only one of its own kind.
        clock.advance(by: UploadStore.maximumPause + .seconds(1))
        #expect(await code("a.mp4", 1, from: .member("one more")) == nil)
        #expect(try await library.upload(id: operators.id) != nil)
        #expect(hidden().count == accounts * each + 1)
        fixture.remove()
    }

    /// Uploads that are counted elsewhere, such as the three of a member.
    @Test func ofSomeUploadsTheOneThatWaitsLongestEnds() async throws {
        let library = fixture.library
        var ids: [String] = []
        for _ in 0..<3 {
            ids.append(try await library.createUpload(name: "a.mp3", byteCount: 10, from: .member("ana")).id)
            clock.advance(by: .seconds(1))
        }
        let others = [try await library.createUpload(name: "a.mp3", byteCount: 10, from: .member("eva")).id]
        clock.advance(by: UploadStore.maximumPause - .seconds(2))
        _ = try await library.append(pieces(of: Data([1])), toUpload: ids[0], offset: 0, checksum: nil)
        #expect(try await library.endPausedUpload(among: ["of another server"]) == nil)
        #expect(try await library.endPausedUpload(among: Set(ids)) == ids[1])
        #expect(try await library.upload(id: ids[1]) == nil)
        #expect(try await library.endPausedUpload(among: Set(ids)) == nil, "the rest goes on")
        for id in [ids[0], ids[2]] + others { #expect(try await library.upload(id: id) != nil) }
        // One that had to give its place to another before is named once.
        clock.advance(by: UploadStore.maximumPause)
        for _ in 0..<UploadSender.member("ana").maximumOwnCount {
            _ = try await library.createUpload(name: "a.mp3", byteCount: 10, from: .member("ana"))
        }
        #expect(try await library.upload(id: ids[2]) == nil)
        #expect(try await library.endPausedUpload(among: [ids[2]]) == ids[2])
        #expect(try await library.endPausedUpload(among: [ids[2]]) == nil)
        fixture.remove()
    }

    @Test func anUploadThatGetsBytesKeepsItsPlace() async throws {
        let library = fixture.library
        var uploads: [Upload] = []
        for _ in 0..<UploadSender.member("ana").maximumOwnCount {
            uploads.append(try await library.createUpload(name: "a.mp3", byteCount: 10, from: .member("ana")))
        }
        clock.advance(by: UploadStore.maximumPause - .seconds(1))
        for upload in uploads.dropLast() {
            _ = try await library.append(pieces(of: Data([1])), toUpload: upload.id, offset: 0, checksum: nil)
        }
        #expect(await code("a.mp3", 10, from: .member("ana")) == .tooMany)
        #expect(await code("a.mp3", 10, from: .member("eva")) == nil)
        clock.advance(by: .seconds(2))
        #expect(await code("a.mp3", 10, from: .member("ana")) == nil)
        #expect(await code("a.mp3", 10, from: .member("ana")) == .tooMany)
        let last = try #require(uploads.last)
        #expect(try await library.upload(id: last.id) == nil)
        for upload in uploads.dropLast() { #expect(try await library.upload(id: upload.id)?.offset == 1) }
        fixture.remove()
    }

    private func code(
        _ name: String, _ byteCount: Int64, from sender: UploadSender = .operators
    ) async -> UploadError.Code? {
        do {
            _ = try await fixture.library.createUpload(name: name, byteCount: byteCount, from: sender)
            return nil
        } catch {
            return (error as? UploadError)?.code
        }
    }

    /// As version 1 writes it.
    @Test func theRecordOfAnUploadFromAnEarlierVersionIsReadAndWrittenAlike() throws {
        let text = #"{"byteCount":9,"expiresAt":788918400.25,"id":"a1","name":"film.mp4"}"#
        let upload = try JSONDecoder().decode(Upload.self, from: Data(text.utf8))
        #expect(WallClockTime(upload.expiresAt) == TestClock.start + .milliseconds(250))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(upload), as: UTF8.self) == text)
    }

    /// A machine without a clock of its own starts in the past, and is then told the time.
    @Test func aDateThatJumpsLeavesUnfinishedUploadsAlone() async throws {
        let upload = try await fixture.library.createUpload(name: "film.mp4", byteCount: 9, from: .operators)
        clock.set(clock.time + UploadStore.maximumAge * 2)
        fixture.library.uploads.uploads.expire()
        #expect(try await fixture.library.upload(id: upload.id)?.offset == 0)
        // The same while the server is down.
        let next = try LibraryFixture(folder: fixture.folder, clock: clock)
        clock.set(clock.time + UploadStore.maximumAge * 10)
        try await next.library.resume()
        #expect(try await next.library.upload(id: upload.id)?.offset == 0)
        clock.advance(by: UploadStore.minimumAgeAfterStart + .seconds(1))
        #expect(try await next.library.upload(id: upload.id) == nil)
        fixture.remove()
    }

    /// A slash that a combining mark follows is no character of its own, but the system sees it.
    @Test(arguments: ["a/\u{338}b.mp4", "folder\u{338}/\u{20E5}b.mp4"])
    func anUploadWithAHiddenSlashIsFinished(_ name: String) async throws {
        let movie = try SampleMedia.movie()
        let upload = try await fixture.library.createUpload(name: name, byteCount: Int64(movie.count), from: .operators)
        let (_, item) = try await fixture.library.append(
            pieces(of: movie), toUpload: upload.id, offset: 0, checksum: nil)
        guard case .title(let title)? = item else { throw Broken() }
        #expect(!title.file.utf8.contains(UInt8(ascii: "/")))
        #expect(hidden() == [])
        fixture.remove()
    }
}
