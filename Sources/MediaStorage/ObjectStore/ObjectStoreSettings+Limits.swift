import MediaCore
import NIOCore
import OutgoingHTTP

extension ObjectStoreSettings {
    /// The minimum pace at which a store has to send an object.
    var pace: PacedBody.Pace {
        PacedBody.Pace(
            byteCount: Int(max(1, Double(minimumByteCountPerSecond) * paceTime.seconds)), in: paceTime)
    }

    /// Time from the connection to the end of the head of the answer, the body of the request included.
    func headTimeout(of request: StoreRequest) -> Duration {
        let byteCount: Int64 =
            switch request.body {
            case .none: 0
            case .bytes(let bytes): Int64(bytes.readableBytes)
            case .file(let pieces): pieces.range.upperBound - pieces.range.lowerBound
            }
        let sending = Duration.seconds(byteCount / Int64(max(1, minimumByteCountPerSecond)))
        return connectTimeout + sending + (request.joinsObjects ? joiningTimeout : readTimeout) * 3
    }
}
