package import Packaging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file calls that a disk may keep waiting for seconds, so that a test can take a disk's place. All of them block.
package struct LibraryFiles: Sendable {
    /// The identity of the file at a path; `nil` when there is none.
    package var identity: @Sendable (String) -> MediaFile.Identity?
    /// Removes a file's name: 0, or an `errno`.
    package var unlink: @Sendable (String) -> Int32

    package init(
        identity: @escaping @Sendable (String) -> MediaFile.Identity? = { MediaFile.identity(ofFileAt: $0) },
        unlink: @escaping @Sendable (String) -> Int32 = { Glibc.unlink($0) == 0 ? 0 : errno }
    ) {
        self.identity = identity
        self.unlink = unlink
    }
}
