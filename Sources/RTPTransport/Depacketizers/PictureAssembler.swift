import MediaCore
import NIOCore

/// Assembles the NAL units of H.264 and HEVC to pictures and decides which pictures are passed on.
///
/// A picture ends at the marker bit, or when the timestamp changes because the marker was lost or never set.
///
/// Some senders set the marker on each slice, which becomes apparent when a slice continues a picture after its
/// marker. The first picture therefore waits for the packet after it. If that packet confirms the marker, later
/// pictures are passed on with their marker; otherwise, pictures end at a change of timestamp from then on.
struct PictureAssembler: Sendable {
    struct Picture: Sendable {
        var rtpTimestamp: UInt32?
        var units: [FragmentedNALUnit] = []
        var byteCount = 0
        var fragmentCount = 0
        var hasSlice = false
        /// Whether decoding can start here.
        var isRandomAccessPoint = false
        /// Whether the picture has a recovery point SEI message.
        var isRecoveryPoint = false
        /// Whether the picture cannot be decoded if decoding started at the preceding random access point.
        var isSkippable = false
        var isDamaged = false
        /// Whether packets were lost before the picture's first one. Its first slice shows whether they belonged to
        /// it.
        var isStartUncertain = false
        /// Whether the marker has arrived while it is not trusted yet; the next packet shows if the picture was
        /// complete.
        var isMarked = false
    }

    /// Properties of a coded slice that concern its picture.
    struct Slice: Sendable {
        /// Whether the slice contains the picture's first block.
        var startsPicture: Bool
        var isRandomAccessPoint: Bool
        /// Whether the picture is a RASL picture of HEVC (ITU-T H.265 §3.132).
        var isSkippable = false
    }

    /// Whether the marker bit is known to mark the end of a picture.
    private enum MarkerTrust {
        case unknown
        case believed
        case disbelieved
    }

    private let limits: DepacketizerLimits
    private(set) var gate: PictureGate
    private(set) var picture = Picture()
    /// A fragmentation unit that has begun but not ended.
    private var openUnit: FragmentedNALUnit?
    private var markerTrust: MarkerTrust
    /// Timestamp of the last picture that ended with its marker.
    private var lastMarkedTimestamp: UInt32?
    /// Timestamp from which the patience for recovery points counts: that of the last IDR or of the first picture.
    private var recoveryReference: UInt32?
    /// Timestamp of the picture at which decoding started; pictures that are displayed before it cannot be decoded.
    private var leadingLimit: UInt32?
    /// Whether decoding started at the last random access point, so that its skippable pictures must be dropped.
    private var skipsLeading = false

    /// - Parameters:
    ///   - policy: treatment of pictures after a packet loss.
    ///   - limits: limits on what the publisher may send.
    ///   - usesMarker: false for interleaved streams, in which the marker may be on any packet of a picture.
    init(_ policy: PacketLossPolicy, limits: DepacketizerLimits, usesMarker: Bool = true) {
        gate = PictureGate(policy)
        self.limits = limits
        markerTrust = usesMarker ? .unknown : .disbelieved
    }

    // MARK: Boundaries

    /// Whether the current picture ends because data with another timestamp arrives.
    func ends(before rtpTimestamp: UInt32) -> Bool {
        if let current = picture.rtpTimestamp { current != rtpTimestamp } else { false }
    }

    mutating func begin(_ rtpTimestamp: UInt32) { picture.rtpTimestamp = rtpTimestamp }

    /// Whether the current picture ends because a slice of another picture with the same timestamp arrives.
    mutating func ends(before slice: Slice) -> Bool {
        if picture.isMarked {
            if slice.startsPicture { return true }
            picture.isMarked = false
            markerTrust = .disbelieved
        } else if markerTrust == .believed, !slice.startsPicture, !picture.hasSlice,
            lastMarkedTimestamp == picture.rtpTimestamp
        {
            // A picture was passed on without this slice. From now on the marker is ignored, so this does not happen
            // again.
            markerTrust = .disbelieved
            damage()
        }
        return false
    }

    /// Handles a marker bit. Some encoders also set it on parameter sets, so a picture without a slice is not
    /// complete.
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

    /// Adds the fragment of a unit that one packet holds (FU: RFC 6184 §5.8, RFC 7798 §4.4.3).
    ///
    /// - Parameter header: the unit's header, for its first fragment; `nil` for the others.
    /// - Returns: the complete unit, with its last fragment; otherwise `nil`. The unit counts against the limits
    ///   again once it is appended.
    mutating func receiveFragment(
        _ bytes: ByteBuffer, header: FragmentedNALUnit.RestoredHeader?, isLast: Bool, _ packet: RTPPacket
    ) throws(DepacketizationError) -> FragmentedNALUnit? {
        if let header {
            openUnit = FragmentedNALUnit(restoredHeader: header, fragments: [])
        } else if openUnit == nil {
            // The loss of the unit's start has already been reported, unless the previous picture ended early.
            let isKnown = picture.isDamaged || picture.isStartUncertain
            if picture.isStartUncertain { damage() }
            if isKnown { return nil }
            throw DepacketizationError(.malformed, packet, "the fragmented NAL unit lacks its start")
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
                .limitExceeded, packet, "the picture has more than \(limits.maximumAccessUnitByteCount) bytes")
        }
        guard picture.units.count <= limits.maximumNALUnitCount,
            picture.fragmentCount <= limits.maximumFragmentCount
        else { throw DepacketizationError(.limitExceeded, packet, "the picture has too many NAL units or fragments") }
    }

    /// Reports that packets between the previous one and the next will not arrive.
    mutating func packetsLost() {
        guard picture.rtpTimestamp == nil else { return damage() }
        openUnit = nil
        picture.isStartUncertain = true
        gate.pictureDamaged()
    }

    mutating func damage() {
        openUnit = nil
        picture.isDamaged = true
        // The units are of no further use, and a picture that never ends would keep their bytes in memory.
        picture.units = []
        picture.byteCount = 0
        picture.fragmentCount = 0
        gate.pictureDamaged()
    }

    /// Ends the current picture and returns it; `nil` if it does not have a slice yet.
    mutating func takePicture() -> Picture? {
        if openUnit != nil { damage() }
        let finished = picture
        picture = Picture()
        guard finished.rtpTimestamp != nil, finished.hasSlice || finished.isDamaged else {
            // SEI that arrived with its own timestamp belongs to the next picture.
            picture.units = finished.units
            picture.byteCount = finished.byteCount
            picture.fragmentCount = finished.fragmentCount
            picture.isRecoveryPoint = finished.isRecoveryPoint
            return nil
        }
        return finished
    }

    /// Decides whether a picture is passed on.
    ///
    /// - Parameter hasConfiguration: whether the parameter sets are known.
    /// - Returns: the picture as a unit; `nil` if it is dropped.
    mutating func pass(_ picture: Picture, hasConfiguration: Bool) -> DepacketizedUnit? {
        guard let rtpTimestamp = picture.rtpTimestamp else { return nil }
        let isRecoveryPoint = recoveryPointCounts(picture, rtpTimestamp)
        let isRandomAccessPoint = isRecoveryPoint || picture.isRandomAccessPoint
        if skipsLeading, !picture.isDamaged, !isRandomAccessPoint, isLeading(picture, rtpTimestamp) {
            // Dropping it does not affect other pictures, because none refers to it.
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
            refersBack: isRecoveryPoint || picture.isSkippable, followsGap: followsGap,
            payload: .nalUnits(picture.units))
    }

    /// Whether a recovery point counts as a random access point. An encoder that uses gradual intra refresh or open
    /// groups of pictures does not send IDRs, but marks the points at which a decoder recovers (ITU-T H.264 §D.2.8,
    /// H.265 §D.3.8). Such a point counts only if there has been no IDR for a while: next to regular IDRs it would be
    /// a worse place to start, because the first pictures after it may be incomplete.
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
