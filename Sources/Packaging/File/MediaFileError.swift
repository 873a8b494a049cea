import Glibc

/// A file could not be opened or read.
package struct MediaFileError: Error, Hashable, CustomStringConvertible {
    package var path: String
    /// The failed operation, such as "read": the text after "cannot".
    package var operation: String
    /// The reason, as in `errno.h`.
    package var errno: Int32

    /// Creates an error; the parameters are the properties of the same names.
    package init(path: String, operation: String, errno: Int32) {
        self.path = path
        self.operation = operation
        self.errno = errno
    }

    /// The operation of a file on another machine that did not come.
    static let fetch = "fetch"

    /// Whether the file lies on another machine and did not come, so that it may come later.
    package var isRemote: Bool { operation == Self.fetch }

    package var description: String { "cannot \(operation) \(path): \(String(cString: strerror(errno)))" }
}
