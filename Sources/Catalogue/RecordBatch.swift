/// Some of the records of a table, in the order in which they were added.
package struct RecordBatch<Record: Sendable>: Sendable {
    package var records: [Record]
    /// The number after which the next batch begins; `nil` if there are no more records.
    package var next: Int64?

    package init(records: [Record], next: Int64?) {
        self.records = records
        self.next = next
    }
}
