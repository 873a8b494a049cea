import Foundation
import Glibc
import TestSupport
import Testing

@testable import MediaFolders

@Suite(.timeLimit(.minutes(2))) struct FolderWatcherTests {
    let folder: TemporaryDirectory
    let watcher: FolderWatcher

    init() throws {
        folder = try TemporaryDirectory(label: "watch")
        _ = try folder.file("vod/sub/x")
        _ = try folder.file("audio/x")
        watcher = try #require(FolderWatcher(paths: ["\(folder.path)/vod", "\(folder.path)/audio"]))
    }

    /// Collects until `condition` holds.
    private func changes(
        tree: Int = 0, until condition: (FolderWatcher.Changes) -> Bool
    ) async throws -> FolderWatcher.Changes {
        var all = FolderWatcher.Changes()
        return try await eventually("the expected changes are seen", every: .milliseconds(5)) {
            let new = watcher.takeChanges()[tree]
            all.finished.formUnion(new.finished)
            all.needsScan = all.needsScan || new.needsScan
            return condition(all) ? all : nil
        }
    }

    @Test func aFileIsFinishedWhenItsWriterHasClosedIt() async throws {
        let path = try folder.file("vod/sub/film.mp4")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data("half".utf8))
        _ = try await changes { _ in watcher.isBeingWritten("sub/film.mp4", tree: 0) }
        #expect(!watcher.takeChanges()[0].finished.contains("sub/film.mp4"))
        try file.close()
        #expect(try await changes { !$0.finished.isEmpty }.finished == ["sub/film.mp4"])
        #expect(!watcher.isBeingWritten("sub/film.mp4", tree: 0))
        watcher.close()
    }

    @Test func filesThatAreMovedHereAreFinished() async throws {
        let path = try folder.write("film", to: "elsewhere/film.mp4")
        try FileManager.default.moveItem(atPath: path, toPath: "\(folder.path)/audio/song.mp3")
        #expect(try await changes(tree: 1) { !$0.finished.isEmpty }.finished == ["song.mp3"])
        #expect(watcher.takeChanges() == [FolderWatcher.Changes(), FolderWatcher.Changes()])
        watcher.close()
    }

    @Test func newFoldersAreWatchedAndGoneOnesForgotten() async throws {
        _ = try folder.file("vod/new/deep/x")
        #expect(try await changes { $0.needsScan }.needsScan)
        let path = "\(folder.path)/vod/new/deep/film.mp4"
        _ = try await changes { _ in
            // The watch comes a moment after its folder.
            try? Data("film".utf8).write(to: URL(filePath: path))
            return watcher.takeChanges()[0].finished == ["new/deep/film.mp4"]
        }
        try FileManager.default.moveItem(atPath: "\(folder.path)/vod/new", toPath: "\(folder.path)/vod/other")
        #expect(try await changes { $0.needsScan }.needsScan)
        let moved = "\(folder.path)/vod/other/deep/film.mp4"
        _ = try await changes { _ in
            try? Data("film".utf8).write(to: URL(filePath: moved))
            return watcher.takeChanges()[0].finished.contains("other/deep/film.mp4")
        }
        #expect(watcher.isComplete(tree: 0))
        watcher.close()
    }

    @Test func aRootThatGoesAndComesBackIsWatchedAgain() async throws {
        #expect(watcher.isComplete(tree: 1))
        try FileManager.default.moveItem(atPath: "\(folder.path)/audio", toPath: "\(folder.path)/away")
        #expect(try await changes(tree: 1) { $0.needsScan }.needsScan)
        #expect(!watcher.isComplete(tree: 1))
        #expect(watcher.isComplete(tree: 0))
        try FileManager.default.moveItem(atPath: "\(folder.path)/away", toPath: "\(folder.path)/audio")
        watcher.completeTrees()
        #expect(watcher.isComplete(tree: 1))
        try folder.write("song", to: "audio/song.mp3")
        #expect(try await changes(tree: 1) { !$0.finished.isEmpty }.finished == ["song.mp3"])
        watcher.close()
    }

    @Test func removalsAndLinksNeedALookAndHiddenNamesNothing() async throws {
        let path = try folder.write("film", to: "vod/film.mp4")
        _ = try await changes { !$0.finished.isEmpty }
        _ = watcher.takeChanges()
        // From a moment ago, however slow this machine is: somebody may still be writing.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 3_600)], ofItemAtPath: path)
        try folder.write("film", to: "vod/.hidden.mp4")
        try folder.write("film", to: "vod/film.mkv.part")
        #expect(link(path, "\(folder.path)/vod/linked.mp4") == 0)
        let linked = try await changes { $0.needsScan }
        #expect(linked.finished == [])
        // It was whole from the beginning.
        #expect(!watcher.isBeingWritten("linked.mp4", tree: 0))
        try FileManager.default.removeItem(atPath: path)
        #expect(try await changes { $0.needsScan }.finished == [])
        watcher.close()
    }

    /// Nobody is going to close them, because nobody has opened them.
    @Test(arguments: [true, false])
    func linksToFilesThatAreOldAreFinishedAtOnce(_ isSymbolic: Bool) async throws {
        let path = try folder.write("film", to: "elsewhere/film.mp4")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
        let link = "\(folder.path)/vod/sub/linked.mp4"
        if isSymbolic {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        } else {
            try #require(Glibc.link(path, link) == 0)
        }
        let changes = try await changes { !$0.finished.isEmpty }
        #expect(changes.finished == ["sub/linked.mp4"] && !changes.needsScan)
        watcher.close()
    }

    /// Mounting takes a namespace of its own: `Tests/Support/stalls.py` does that (`mounts`).
    @Test func mountsAreToldByTheTreesThatTheyConcern() throws {
        #expect(MountWatch.unescaped("/media/my\\040films\\134x") == "/media/my films\\x")
        let mounts = try #require(MountWatch(paths: [folder.path, "/"]))
        #expect(mounts.takeChangedTrees() == [])
        #expect(mounts.descriptor >= 0)
        watcher.close()
    }

    @Test func tooManyEventsMakeALookAndBytesThatAreNoneNothing() throws {
        var event = inotify_event()
        event.wd = -1
        event.mask = UInt32(IN_Q_OVERFLOW)
        withUnsafeBytes(of: event) { watcher.handle($0) }
        #expect(watcher.takeChanges().map(\.needsScan) == [true, true])
        #expect(!watcher.isComplete(tree: 0) && !watcher.isComplete(tree: 1))
        watcher.completeTrees()
        #expect(watcher.isComplete(tree: 0) && watcher.isComplete(tree: 1))
        event.len = 1_000
        withUnsafeBytes(of: event) { watcher.handle($0) }
        withUnsafeBytes(of: event) { watcher.handle(UnsafeRawBufferPointer(rebasing: $0[..<7])) }
        #expect(watcher.takeChanges() == [FolderWatcher.Changes(), FolderWatcher.Changes()])
        watcher.close()
    }

    /// A link that leads back up must not make a tree without end.
    @Test func linksThatLeadBackUpAreNotFollowed() throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/vod/sub/up", withDestinationPath: "\(folder.path)/vod")
        let other = try #require(FolderWatcher(paths: ["\(folder.path)/vod"]))
        #expect(other.isComplete(tree: 0))
        other.close()
        watcher.close()
    }
}
