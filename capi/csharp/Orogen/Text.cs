// Text for the library, without garbage.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Orogen
{
    /// <summary>Strings as UTF-8 that ends in 0, in two buffers that each thread reuses.</summary>
    internal static class Utf8
    {
        [ThreadStatic] private static byte[] first, second;

        internal static byte[] First(string text) { return Write(text, ref first); }
        internal static byte[] Second(string text) { return Write(text, ref second); }

        private static byte[] Write(string text, ref byte[] buffer)
        {
            if (text == null) return null;
            Append(text, ref buffer, 0);
            return buffer;
        }

        /// <summary>Writes the text at an offset and returns the offset behind its 0. The buffer grows as needed and keeps what
        /// is before.</summary>
        internal static int Append(string text, ref byte[] buffer, int offset)
        {
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("text contains a character 0, which ends text in C");
            int end = checked(offset + Encoding.UTF8.GetMaxByteCount(text.Length) + 1);
            if (buffer == null || buffer.Length < end) Array.Resize(ref buffer, Math.Max(end, 256));
            offset += Encoding.UTF8.GetBytes(text, 0, text.Length, buffer, offset);
            buffer[offset] = 0;
            return offset + 1;
        }
    }

    /// <summary>Several strings as UTF-8 that ends in 0, in memory that is reused.</summary>
    internal sealed class Texts
    {
        private byte[] bytes = new byte[256];
        private int[] offsets = new int[0];
        private int end;
        private GCHandle pin;

        /// <summary>Makes room for a number of strings.</summary>
        internal void Reset(int count)
        {
            if (offsets.Length < count) offsets = new int[count];
            end = 0;
        }

        /// <summary>Writes the next string, which may be null.</summary>
        internal void Set(int index, string text)
        {
            offsets[index] = text == null ? -1 : end;
            if (text != null) end = Utf8.Append(text, ref bytes, end);
        }

        internal void Pin() { pin = GCHandle.Alloc(bytes, GCHandleType.Pinned); }

        /// <summary>The address of a string while they are pinned; zero for null.</summary>
        internal IntPtr Address(int index) { return offsets[index] < 0 ? IntPtr.Zero : pin.AddrOfPinnedObject() + offsets[index]; }

        internal void Unpin() { pin.Free(); }
    }

    /// <summary>Text for a structure, pinned until it is disposed.</summary>
    internal struct PinnedText : IDisposable
    {
        private GCHandle pin;
        internal readonly IntPtr Address;

        internal PinnedText(string text)
        {
            pin = default(GCHandle);
            Address = IntPtr.Zero;
            if (text == null) return;
            byte[] bytes = null;
            Utf8.Append(text, ref bytes, 0);
            pin = GCHandle.Alloc(bytes, GCHandleType.Pinned);
            Address = pin.AddrOfPinnedObject();
        }

        public void Dispose() { if (pin.IsAllocated) pin.Free(); }
    }
}
