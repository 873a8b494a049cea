/// The current row of an engine's result.
protocol SQLRowSource {
    /// The value of a column.
    ///
    /// - Parameter type: the type that the caller expects. An engine whose values are text parses it; an engine whose
    ///   values have types ignores it.
    func value(at column: Int, as type: SQLColumnType) -> SQLValue
}
