import MediaCore
import NIOCore

/// Puts the NAL units of H.264 and HEVC together to pictures, and decides which of these are passed on.
///
/// A picture ends at the marker bit, or where the timestamp changes because the marker was lost or never set.
///
/// Senders exist that set the marker on each slice. What shows it is a slice that goes on with a picture after its
/// marker. So the first picture that is passed on waits for the packet behind it; where that shows the marker to be
/// right, all others go out with theirs, and where it does not, pictures end at the change of timestamp from then on.
struct PictureAssembler: Sendable {
    struct Picture: Sendable {
        var rtpTimestamp: UInt32?
        var units: [FragmentedNALUnit] = []
        var byteCount = 0
        var fragmentCount = 0
        var hasSlice = false
        /// Decoding can start here.
        var isRandomAccessPoint = false
        /// It has a recovery point SEI message.
        var isRecoveryPoint = false
        /// Not decodable where decoding started with the random access point before it.
        var isSkippable = false
        var isDamaged = false
        /// Packets were lost before its first one; whether they were of it shows with its first slice.
        var isStartUncertain = false
        /// Its marker has come, and the packet behind it shows whether that was its end.
        var isMarked = false
    }

    /// What a coded slice says of its picture.
    struct Slice: Sendable {
        /// It has the picture's first block.
        var startsPicture: Bool
        var isRandomAccessPoint: Bool
        /// HEVC's RASL pictures (ITU-T H.265 §3.132).
        var isSkippable = false
    }

    private enum MarkerTrust {
        case unknown
        case believed
        case disbelieved
    }

    private let limits: DepacketizerLimits
    private(set) var gate: PictureGate
    private(set) var picture = Picture()
    /// A fragmentation unit that has begun and not ended.
    private var openUnit: FragmentedNALUnit?
    private var markerTrust: MarkerTrust
    /// The last picture that ended with its marker.
    private var lastMarkedTimestamp: UInt32?
    /// When recovery points began to be waited for: at the last IDR or the first picture.
    private var recoveryReference: UInt32?
    /// Decoding started at a picture of this timestamp, and what is shown before it cannot be decoded.
    private var leadingLimit: UInt32?
    /// Decoding started at the last random access point, so that its skippable pictures have to be.
    private var skipsLeading = false

    /// - Parameter usesMarker: not where pictures are interleaved, and the marker comes with any of their packets.
    init(_ policy: PacketLossPolicy, limits: DepacketizerLimits, usesMarker: Bool = true) {
        gate = PictureGate(policy)
        self.limits = limits
        markerTrust = usesMarker ? .unknown : .disbelieved
    }

    // MARK: Boundaries

    /// Whether the picture ends because something of another timestamp comes.
    func ends(before rtpTimestamp: UInt32) -> Bool {
        if let current = picture.rtpTimestamp { current != rtpTimestamp } else { false }
    }

    mutating func begin(_ rtpTimestamp: UInt32) { picture.rtpTimestamp = rtpTimestamp }

    /// Whether the picture ends because another one's slice of the same timestamp comes.
    mutating func ends(before slice: Slice) -> Bool {
        if picture.isMarked {
            if slice.startsPicture { return true }
            picture.isMarked = false
            markerTrust = .disbelieved
        } else if markerTrust == .believed, !slice.startsPicture, !picture.hasSlice,
            lastMarkedTimestamp == picture.rtpTimestamp
        {
            // A picture has been passed on without this slice of it; from now on that does not happen.
            markerTrust = .disbelieved
            damage()
        }
        return false
    }

    /// Some encoders set the marker on parameter sets too; a picture is not over before it has a slice.
    ///
    /// - Returns: whether the picture ends.
    mutating func markerReceived() -> Bool {
        guard picture.hasSlice || picture.isDamaged else { return false }
        switch markerTrust {
        case .unknown: picture.isMarked = true
        case .believed: return true
        case .disbelieved: break
        }
        return false
    }

    // MARK: Fragments

    var hasOpenUnit: Bool { openUnit != nil }

    mutating func dropOpenUnit() { openUnit = nil }

    /// One packet's part of a unit (FU: RFC 6184 §5.8, RFC 7798 §4.4.3).
    ///
    /// - Parameter header: the unit's, which its first part tells; `nil` with the others.
    /// - Returns: the whole unit, with its last part. It is not counted until it is appended.
    mutating func receiveFragment(
        _ bytes: ByteBuffer, header: FragmentedNALUnit.RestoredHeader?, isLast: Bool, _ packet: RTPPacket
    ) throws(DepacketizationError) -> FragmentedNALUnit? {
        if let header {
            openUnit = FragmentedNALUnit(restoredHeader: header, fragments: [])
        } else if openUnit == nil {
            // The loss of its start is known already, unless the picture before ended early.
            let isKnown = picture.isDamaged || picture.isStartUncertain
            if picture.isStartUncertain { damage() }
            if isKnown { return nil }
            throw DepacketizationError(.malformed, packet, "a fragmented NAL unit has no start")
        }
        picture.byteCount += bytes.readableBytes
        picture.fragmentCount += 1
        try checkLimits(packet)
        openUnit?.fragments.append(bytes)
        guard isLast, let unit = openUnit else { return nil }
        openUnit = nil
        picture.byteCount -= unit.byteCount - unit.restoredHeader.byteCount
        picture.fragmentCount -= unit.fragments.count
        return unit
    }

    // MARK: Pictures

    mutating func append(
        _ unit: FragmentedNALUnit, slice: Slice?, isRecoveryPoint: Bool = false, _ packet: RTPPacket
    ) throws(DepacketizationError) {
        picture.byteCount += unit.byteCount
        picture.fragmentCount += unit.fragments.count
        picture.units.append(unit)
        try checkLimits(packet)
        if isRecoveryPoint { picture.isRecoveryPoint = true }
        guard let slice else { return }
        if picture.isStartUncertain, !picture.hasSlice, !slice.startsPicture { damage() }
        picture.hasSlice = true
        if slice.isRandomAccessPoint { picture.isRandomAccessPoint = true }
        if slice.isSkippable { picture.isSkippable = true }
    }

    private func checkLimits(_ packet: RTPPacket) throws(DepacketizationError) {
        guard picture.byteCount <= limits.maximumAccessUnitByteCount else {
            throw DepacketizationError(
                .limitExceeded, packet, "a picture of more than \(limits.maximumAccessUnitByteCount) bytes")
        }
        guard picture.units.count <= limits.maximumNALUnitCount,
            picture.fragmentCount <= limits.maximumFragmentCount
        else { throw DepacketizationError(.limitExceeded, packet, "a picture in too many pieces") }
    }

    /// Packets between the last one and the next will not come.
    mutating func packetsLost() {
        guard picture.rtpTimestamp == nil else { return damage() }
        openUnit = nil
        picture.isStartUncertain = true
        gate.pictureDamaged()
    }

    mutating func damage() {
        openUnit = nil
        picture.isDamaged = true
        // What it holds is of no more use; without this a picture that never ends would keep its bytes.
        picture.units = []
        picture.byteCount = 0
        picture.fragmentCount = 0
        gate.pictureDamaged()
    }

    /// The picture as it is; `nil` where there is none yet.
    mutating func takePicture() -> Picture? {
        if openUnit != nil { damage() }
        let finished = picture
        picture = Picture()
        guard finished.rtpTimestamp != nil, finished.hasSlice || finished.isDamaged else {
            // SEI that came with a timestamp of its own belongs to the picture that follows.
            picture.units = finished.units
            picture.byteCount = finished.byteCount
            picture.fragmentCount = finished.fragmentCount
            picture.isRecoveryPoint = finished.isRecoveryPoint
            return nil
        }
        return finished
    }

    /// - Parameter hasConfiguration: whether a decoder knows the parameter sets.
    /// - Returns: `nil` where the picture is dropped.
    mutating func pass(_ picture: Picture, hasConfiguration: Bool) -> DepacketizedUnit? {
        guard let rtpTimestamp = picture.rtpTimestamp else { return nil }
        let isRandomAccessPoint = recoveryPointCounts(picture, rtpTimestamp) || picture.isRandomAccessPoint
        if skipsLeading, !picture.isDamaged, !isRandomAccessPoint, isLeading(picture, rtpTimestamp) {
            // No loss to those before and after it, because nothing refers to it.
            return nil
        }
        let opensGate = gate.isWaiting
        guard
            let followsGap = gate.pass(
                isRandomAccessPoint: isRandomAccessPoint && hasConfiguration, isDamaged: picture.isDamaged)
        else { return nil }
        if isRandomAccessPoint {
            skipsLeading = opensGate
            leadingLimit = picture.isRandomAccessPoint ? nil : rtpTimestamp
        }
        if picture.isMarked, markerTrust == .unknown { markerTrust = .believed }
        lastMarkedTimestamp = rtpTimestamp
        return DepacketizedUnit(
            rtpTimestamp: rtpTimestamp, tickOffset: 0, isRandomAccessPoint: isRandomAccessPoint,
            followsGap: followsGap, payload: .nalUnits(picture.units))
    }

    /// An encoder that refreshes its pictures bit by bit, or opens its groups of pictures, sends no IDR but marks where
    /// a decoder recovers (ITU-T H.264 §D.2.8, H.265 §D.3.8). Such a point counts when no IDR has come for a while:
    /// beside regular ones it would be the worse place to start, as the first pictures behind it may be incomplete.
    private mutating func recoveryPointCounts(_ picture: Picture, _ rtpTimestamp: UInt32) -> Bool {
        guard !picture.isDamaged else { return false }
        guard !picture.isRandomAccessPoint, let reference = recoveryReference else {
            recoveryReference = rtpTimestamp
            return false
        }
        guard picture.isRecoveryPoint else { return false }
        return Int32(bitPattern: rtpTimestamp &- reference).magnitude >= limits.recoveryPointPatience
    }

    private func isLeading(_ picture: Picture, _ rtpTimestamp: UInt32) -> Bool {
        if picture.isSkippable { return true }
        guard let leadingLimit else { return false }
        return Int32(bitPattern: rtpTimestamp &- leadingLimit) < 0
    }
}

extension FragmentedNALUnit {
    /// The byte `offset` places behind the unit's header.
    func payloadByte(at offset: Int, headerByteCount: Int) -> UInt8? {
        var offset = restoredHeader == .none ? offset + headerByteCount : offset
        for fragment in fragments {
            if offset < fragment.readableBytes {
                return fragment.getInteger(at: fragment.readerIndex + offset)
            }
            offset -= fragment.readableBytes
        }
        return nil
    }
}
