/// The types of columns that both engines have.
package enum SQLColumnType: Sendable, Hashable {
    /// A 64-bit integer.
    case integer
    /// A 64-bit floating-point number.
    case real
    /// UTF-8 text that is compared byte by byte.
    case text
    case blob
}
