import MediaCore
import NIOCore

extension ProducerReferenceTime {
    init(parsing box: Box) throws(ISOBMFFError) {
        var (version, _, rest) = try box.fullBox()
        trackID = try rest.readField(UInt32.self, of: box)
        time = NTPTimestamp(rawValue: try rest.readField(UInt64.self, of: box))
        decodeTime =
            version == 0
            ? Int64(try rest.readField(UInt32.self, of: box))
            : Int64(clamping: try rest.readField(UInt64.self, of: box))
    }
}
