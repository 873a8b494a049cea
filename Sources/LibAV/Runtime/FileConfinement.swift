/// Files and folders that a worker may open in addition to those that every worker is given.
package struct FileConfinement: Sendable, Hashable {
    /// The paths that may be read.
    package var readable: [String]
    /// The paths that may be read and written.
    package var writable: [String]

    /// Creates a set of exceptions; empty by default.
    package init(readable: [String] = [], writable: [String] = []) {
        self.readable = readable
        self.writable = writable
    }
}
