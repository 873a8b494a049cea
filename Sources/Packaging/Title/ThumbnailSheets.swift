/// The pictures of a title that players show while somebody seeks: thumbnails in rows and columns, on sheets.
package struct ThumbnailSheets: Sendable, Hashable {
    /// The address of a sheet relative to the title's own path, with `$Number$`, which begins with 1.
    package var address: String
    /// Seconds of the title for each thumbnail.
    package var interval: Int
    package var columnCount, rowCount: Int
    /// The size of a thumbnail in pixels.
    package var tileWidth, tileHeight: Int

    package init(
        address: String, interval: Int, columnCount: Int, rowCount: Int, tileWidth: Int, tileHeight: Int
    ) {
        (self.address, self.interval) = (address, interval)
        (self.columnCount, self.rowCount) = (columnCount, rowCount)
        (self.tileWidth, self.tileHeight) = (tileWidth, tileHeight)
    }
}
