import Catalogue
import DatabaseTestSupport
import Foundation
import MediaWorkerTestSupport
import Testing

@testable import VODLibrary

/// Encrypted files are failures that say so, as titles and as tracks, whatever their container.
@Suite(.eachEngine) struct EncryptedFileTests {
    private static let commonEncryption =
        "-encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb "
        + "-encryption_kid a7e61c373e219033c21091fa607bf3b8"

    @Test func titlesAndTracksAreRefused() async throws {
        let fixtures = try WorkerFixtures()
        let library = try LibraryFixture(realWorker: true)
        let film = try fixtures.makeMedia(
            "film.mp4", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac \(Self.commonEncryption)")
        let song = try fixtures.makeMedia("song.mp4", "-vn -c:a aac \(Self.commonEncryption)")
        try library.write(Data(contentsOf: URL(filePath: film)), to: library.vod("film.mp4"))
        // By its name no movie, so that libav meets it first.
        try library.write(Data(contentsOf: URL(filePath: film)), to: library.vod("film.mkv"))
        try library.write(Data(contentsOf: URL(filePath: song)), to: library.audio("song.m4a"))
        try await library.settle()
        for name in ["film.mp4", "film.mkv"] {
            let title = try #require(try await library.title(name))
            #expect(title.state == .failed)
            #expect(title.error?.hasPrefix("\(name): ") == true && title.error?.contains("is encrypted (cenc)") == true)
        }
        let track = try #require(try await library.track("song.m4a"))
        #expect(track.state == .failed && track.error?.contains("is encrypted (cenc)") == true)
        library.remove()
    }
}
