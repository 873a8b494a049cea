package import Packaging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file calls for which a disk may need seconds. A test can replace them to simulate a disk. All of them block.
package struct LibraryFiles: Sendable {
    /// The identity of the file at a path; `nil` if there is none.
    package var identity: @Sendable (String) -> MediaFile.Identity?
    /// Removes a file's name. Returns 0, or an `errno`.
    package var unlink: @Sendable (String) -> Int32

    package init(
        identity: @escaping @Sendable (String) -> MediaFile.Identity? = { MediaFile.identity(ofFileAt: $0) },
        unlink: @escaping @Sendable (String) -> Int32 = { Glibc.unlink($0) == 0 ? 0 : errno }
    ) {
        self.identity = identity
        self.unlink = unlink
    }
}
