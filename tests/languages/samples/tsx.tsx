import React from 'react';

interface Props { title: string; items?: string[] }

export const List: React.FC<Props> = ({ title, items = [] }) => {
  const [open, setOpen] = React.useState<boolean>(false);
  return (
    <div className={open ? 'open' : `closed ${title}`} onClick={() => setOpen(!open)}>
      <h1>{title} &amp; more, isn't it?</h1>
      {items.map((item, i) => <Item<string> key={i} {...item} />)}
      <br />
    </div>
  );
};
