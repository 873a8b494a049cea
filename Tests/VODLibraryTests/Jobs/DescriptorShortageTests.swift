import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaCore
import MediaWorker
import Packaging
import Synchronization
import Testing
import TestSupport

@testable import MediaIntake
@testable import VODLibrary

@Suite(.eachEngine, .timeLimit(.minutes(2))) struct DescriptorShortageTests {
    @Test(arguments: [EMFILE, ENFILE])
    func aJobWithoutDescriptorsIsTriedAgainUntilThereAreSome(_ number: Int32) async throws {
        let attempts = Mutex(0)
        let worker = FakeWorker { request, _ in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            guard attempt > 3 else { throw WorkerFailure(reason: "cannot be started", systemError: number) }
            return try FakeWorker.succeed(request)
        }
        let fixture = try LibraryFixture(worker: worker, clock: .anHourAhead())
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.settle()
        let film = try #require(try await fixture.title("film.mkv"))
        #expect(film.state == .ready && film.error == nil)
        let job = try await fixture.library.jobs(matching: nil, after: nil, limit: 9).items.last
        #expect(job?.state == .ready && job?.attempt == 1)
        fixture.remove()
    }

    @Test func otherFailuresAreFinal() async throws {
        let fixture = try LibraryFixture(
            worker: FakeWorker { _, _ in throw WorkerFailure(reason: "is damaged", systemError: EIO) })
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.settle()
        #expect(try await fixture.title("film.mkv")?.state == .failed)
        fixture.remove()
    }

    @Test func isFoundInErrorsOfAllKinds() {
        #expect(DescriptorShortage.isCause(of: MediaFileError(path: "a", operation: "open", errno: EMFILE)))
        #expect(DescriptorShortage.isCause(of: ReceivedFile.failure("it cannot be written", number: ENFILE)))
        #expect(DescriptorShortage.isCause(of: POSIXError(.EMFILE)))
        let cocoa = CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENFILE)])
        #expect(DescriptorShortage.isCause(of: cocoa))
        #expect(!DescriptorShortage.isCause(of: POSIXError(.ENOENT)))
        #expect(!DescriptorShortage.isCause(of: LibraryError(.storage, "full")))
    }
}
