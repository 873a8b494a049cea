import CLibAV
package import LibAV

/// Makes storyboards: sheets of thumbnails of a video, taken from key frames only.
package struct StoryboardMaking {
    /// The arrangement of thumbnails on a sheet.
    package struct Layout: Sendable, Hashable {
        /// The largest width of a thumbnail in pixels.
        package var maximumTileWidth: Int
        /// The largest height of a thumbnail in pixels.
        package var maximumTileHeight: Int
        package var columnCount: Int
        package var rowCount: Int

        /// Creates an arrangement; the sizes are in pixels.
        package init(maximumTileWidth: Int, maximumTileHeight: Int, columnCount: Int, rowCount: Int) {
            self.maximumTileWidth = maximumTileWidth
            self.maximumTileHeight = maximumTileHeight
            self.columnCount = columnCount
            self.rowCount = rowCount
        }

        /// The number of thumbnails on a full sheet.
        var tileCount: Int { columnCount * rowCount }
    }

    /// The size of each thumbnail in pixels, the same on all sheets.
    package struct TileSize: Sendable, Hashable {
        /// Pixels.
        package var width: Int
        /// Pixels.
        package var height: Int
    }

    private let input: InputFile

    /// The frames that may be decoded for each thumbnail: a damaged key frame is replaced by a frame after it.
    private static let maximumFramesPerTile = 4

    /// Creates a storyboard maker for an open file.
    package init(_ input: InputFile) { self.input = input }

    /// Makes all sheets. Throws `LibAVError` if no frame can be decoded, and what `write` throws.
    ///
    /// - Parameters:
    ///   - times: The times of the thumbnails, ascending, in microseconds from the start of the video: each shows the
    ///     key frame at or before its time.
    ///   - layout: The arrangement of thumbnails on a sheet.
    ///   - write: Called with each sheet as the bytes of a JPEG file, in order.
    ///   - progress: Called with the share that is done, 0 to 1.
    package func make(
        times: [Int64], layout: Layout, write: ([UInt8]) throws -> Void, progress: (Double) -> Void
    ) throws -> TileSize {
        let reader = try FrameReader(
            input, maximumFrameCount: max(1, times.count) * Self.maximumFramesPerTile)
        let shown = ShownFrame(input, reader.info)
        var size: ShownFrame.Size?
        var place: Int64?
        var tile: Frame?
        var sheet: [Frame] = []
        // The number of thumbnails that have no frame yet.
        var missing = 0
        for (index, time) in times.enumerated() {
            if let found = try reader.keyFrame(at: time, unless: place) {
                let tileSize =
                    size
                    ?? shown.size(
                        of: found.frame, maximumWidth: layout.maximumTileWidth, maximumHeight: layout.maximumTileHeight)
                size = tileSize
                place = found.place
                tile = try shown.scaled(found.frame, to: tileSize)
            }
            guard let tile else {
                missing += 1
                continue
            }
            sheet += Array(repeating: tile, count: missing + 1)
            missing = 0
            if sheet.count >= layout.tileCount {
                try write(try jpeg(Array(sheet.prefix(layout.tileCount)), layout))
                sheet.removeFirst(layout.tileCount)
            }
            progress(Double(index + 1) / Double(times.count))
        }
        while !sheet.isEmpty {
            try write(try jpeg(Array(sheet.prefix(layout.tileCount)), layout))
            sheet.removeFirst(min(sheet.count, layout.tileCount))
        }
        guard let size, missing == 0 else {
            throw LibAVError(.damaged, file: input.name, "has no frame that can be decoded")
        }
        return TileSize(width: size.width, height: size.height)
    }

    /// Draws a sheet as JPEG; the last one is only as large as its content.
    private func jpeg(_ tiles: [Frame], _ layout: Layout) throws(LibAVError) -> [UInt8] {
        let (width, height) = (tiles[0].width, tiles[0].height)
        let columnCount = min(tiles.count, layout.columnCount)
        let rowCount = (tiles.count + layout.columnCount - 1) / layout.columnCount
        let sheet = try Frame.video(
            width: columnCount * width, height: rowCount * height, format: AV_PIX_FMT_YUVJ420P)
        sheet.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        sheet.fillWithBlack()
        for (index, tile) in tiles.enumerated() {
            sheet.copy(tile, x: index % layout.columnCount * width, y: index / layout.columnCount * height)
        }
        return try ShownFrame.jpeg(sheet, file: input.name)
    }
}

/// Drawing on planar 8-bit full-range 4:2:0 frames with even sides.
extension Frame {
    private typealias Plane = (start: UnsafeMutablePointer<UInt8>?, stride: Int, shift: Int, black: UInt8)

    private var planes: [Plane] {
        let (data, stride) = (pointer.pointee.data, pointer.pointee.linesize)
        return [
            (data.0, Int(stride.0), 0, 0), (data.1, Int(stride.1), 1, 128), (data.2, Int(stride.2), 1, 128),
        ]
    }

    fileprivate func fillWithBlack() {
        for plane in planes {
            plane.start?.update(repeating: plane.black, count: plane.stride * (height >> plane.shift))
        }
    }

    /// Copies a thumbnail to a position; one that does not fit is left out.
    fileprivate func copy(_ tile: Frame, x: Int, y: Int) {
        guard x >= 0, y >= 0, x + tile.width <= width, y + tile.height <= height else { return }
        for (target, source) in zip(planes, tile.planes) {
            guard let to = target.start, let from = source.start else { continue }
            for row in 0..<tile.height >> target.shift {
                (to + ((y >> target.shift) + row) * target.stride + (x >> target.shift))
                    .update(from: from + row * source.stride, count: tile.width >> target.shift)
            }
        }
    }
}
