import Foundation
import LibraryCore
import MediaWorker
import NIOCore
import TestSupport
import Testing

@testable import VODLibrary

/// The images of channels that operators send.
struct ChannelCoverStoreTests {
    private func fixture() throws -> LibraryFixture {
        try LibraryFixture(worker: FakeWorker { request, _ in try FakeWorker.succeed(request) })
    }

    @Test func anImageIsStoredWhereChannelsCanNameIt() async throws {
        let fixture = try fixture()
        let path = try await fixture.library.storeCover(
            ByteBuffer(bytes: SampleMedia.jpegBeginning), ofChannel: "canal_A-1")
        #expect(path.hasPrefix("channels/canal_A-1-") && path.hasSuffix(".jpg"), "\(path)")
        let file = "\(fixture.folder)/media/\(path)"
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "picture", "what the worker has made")
        #expect(fixture.dataFiles.allSatisfy { !$0.hasPrefix("posters/") }, "what was sent is not kept")
        #expect(
            try await fixture.library.storeCover(ByteBuffer(bytes: SampleMedia.jpegBeginning), ofChannel: "canal_A-1")
                == path)
        await fixture.library.deleteStoredCover(path, ofChannel: "canal_A-1")
        #expect(!FileManager.default.fileExists(atPath: file))
        // It is gone already.
        await fixture.library.deleteStoredCover(path, ofChannel: "canal_A-1")
        fixture.remove()
    }

    @Test(arguments: [
        "logos/a.jpg", "channels/canalB-1a.jpg", "channels/canalA.jpg", "channels/canalA-.jpg",
        "channels/canalA-1a.png",
        "channels/canalA-../../x.jpg", "channels/canalA-Logo.jpg", "/channels/canalA-1a.jpg",
    ])
    func otherFilesAreNotDeleted(path: String) async throws {
        let fixture = try fixture()
        let file = "\(fixture.folder)/media/\(path)"
        try FileManager.default.createDirectory(
            at: URL(filePath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("an operator's".utf8).write(to: URL(filePath: file))
        await fixture.library.deleteStoredCover(path, ofChannel: "canalA")
        #expect(FileManager.default.fileExists(atPath: file))
        fixture.remove()
    }

    @Test func aFolderThatCannotBeWrittenIsSaid() async throws {
        let fixture = try fixture()
        // A file where the folder has to be: root may write into each folder.
        try Data().write(to: URL(filePath: "\(fixture.folder)/media/channels"))
        let error = await #expect(throws: LibraryError.self) {
            try await fixture.library.storeCover(ByteBuffer(bytes: SampleMedia.jpegBeginning), ofChannel: "canalA")
        }
        #expect(error?.code == .storage)
        #expect(error?.reason.hasPrefix("the image cannot be stored: ") == true, "\(error?.reason ?? "")")
        fixture.remove()
    }
}
