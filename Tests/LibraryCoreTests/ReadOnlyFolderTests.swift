import Glibc
import Testing

@testable import LibraryCore

/// A read-only folder is reported differently from a full disk.
struct ReadOnlyFolderTests {
    @Test(arguments: [EROFS, EACCES, EPERM]) func theFolderIsNamed(number: CInt) {
        let error = LibraryError.writing("film.mp4 cannot be deleted", in: "/srv/media/vod", number: number)
        #expect(error.code == .readOnly)
        #expect(error.reason.hasPrefix("film.mp4 cannot be deleted: the folder /srv/media/vod is read-only"))
    }

    @Test func aFullDiskStaysOne() {
        let error = LibraryError.writing("film.mp4 cannot be copied", in: "/srv/media/vod", number: ENOSPC)
        #expect(error.code == .storage && error.reason == "film.mp4 cannot be copied: No space left on device")
    }
}
