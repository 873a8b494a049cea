/// The parameters of statements that are made from lists of columns.
package enum SQLParameters {
    /// `?1, ?2, …`, as many as there are columns.
    package static func list(_ count: Int) -> String {
        guard count > 0 else { return "" }
        return (1...count).map { "?\($0)" }.joined(separator: ", ")
    }
}
