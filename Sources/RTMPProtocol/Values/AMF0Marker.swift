/// The first byte of a value in AMF 0 (§2.1).
enum AMF0Marker: UInt8 {
    case number = 0x00
    case boolean = 0x01
    case string = 0x02
    case object = 0x03
    case null = 0x05
    case undefined = 0x06
    case ecmaArray = 0x08
    case objectEnd = 0x09
    case strictArray = 0x0a
    case date = 0x0b
    case longString = 0x0c
    case unsupported = 0x0d
    case xmlDocument = 0x0f
    case typedObject = 0x10
}
