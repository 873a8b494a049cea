import DatabaseTestSupport
import Foundation
import MediaWorkerTestSupport
import Packaging
import Testing

@testable import VODLibrary

@Suite(.eachEngine) struct DerivedFilesTests {
    @Test func onlyEntriesOfItsFoldersBelongToTheLibrary() throws {
        let fixtures = try WorkerFixtures()
        let (data, derived) = (fixtures.path("data"), try DerivedFiles(dataDirectory: fixtures.path("data")))
        #expect(derived.contains("\(data)/covers/a.jpg"))
        #expect(derived.contains("\(data)/storyboards/a"))
        #expect(derived.containsServedFile("\(data)/storyboards/a/storyboard-1.jpg"))
        // A combining mark hides the slash from Swift's characters, not from the system.
        for path in [
            "\(data)/covers/../../victim", "\(data)/covers/..", "\(data)/covers/.", "\(data)/covers/", "\(data)/covers",
            "\(data)/covers/a/../../keys/secret", "\(data)/covers//a", "\(data)/keys/secret", "/etc/passwd",
            "\(data)/covers/\u{338}../x", "\(data)/covers/a/\u{338}b", "\(data)/covers/a\0b", "\(data)/coversx/a", "",
        ] {
            #expect(!derived.contains(path), "\(path.debugDescription)")
            #expect(!derived.containsServedFile(path), "\(path.debugDescription)")
        }
        let victim = try fixtures.write("x", to: "victim.txt")
        derived.delete("\(data)/covers/../../victim.txt")
        #expect(FileManager.default.fileExists(atPath: victim))
    }

    @Test func aServedFileIsPlainAndTheLibrarysOwn() async throws {
        let fixture = try LibraryFixture()
        let secret = try fixture.write(Data("secret".utf8), to: "\(fixture.folder)/data/keys/secret")
        let covers = "\(fixture.folder)/data/covers"
        try fixture.write(Data("cover".utf8), to: "\(covers)/a.jpg")
        #expect(try await fixture.library.servedFile(at: "\(covers)/a.jpg")?.byteCount == 5)
        symlink(secret, "\(covers)/link.jpg")
        link(secret, "\(covers)/hard.jpg")
        for path in [secret, "\(covers)/link.jpg", "\(covers)/hard.jpg", covers, "\(covers)/gone.jpg"] {
            #expect(try await fixture.library.servedFile(at: path) == nil, "\(path)")
        }
        fixture.remove()
    }
}
