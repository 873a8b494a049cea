import Glibc

/// Arrays of C strings for the duration of a call.
enum CStrings {
    /// Passes the strings as an array that ends with a null pointer; `nil` elements are null pointers, too.
    static func with<Result>(
        _ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { string in string.flatMap { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("the array holds a null pointer at least") }
            return body(start)
        }
    }
}
