/// A title with what lists show of it besides its record.
package struct ListedTitle: Sendable, Equatable {
    package var record: TitleRecord
    package var listing: TitleListing

    package init(record: TitleRecord, listing: TitleListing) {
        (self.record, self.listing) = (record, listing)
    }
}
